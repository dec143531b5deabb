import { checkErrorCodes, checkOptions, checkSourceNames, checkTitles } from './documents.js';
import { checkImports } from './imports.js';
import { checkReadmes, checkVersions } from './manifests.js';
import { checkNames } from './names.js';
import {
  checkConsole,
  checkProcess,
  checkPurity,
  checkSameEverywhere,
  checkSimulated,
} from './purity.js';
import { checkReachability } from './reachability.js';
import { checkFileLength, checkFunctionLength, checkLineLength } from './sizes.js';
import { checkFocus, checkSyntax } from './syntax.js';
import type { Rule } from './tree.js';
import { checkCoverageIgnores, checkWords } from './words.js';

/** The rules of the house, by the name that stands in their findings. */
export const RULES: Readonly<Record<string, Rule>> = {
  imports: checkImports,
  purity: checkPurity,
  simulated: checkSimulated,
  'same-everywhere': checkSameEverywhere,
  process: checkProcess,
  console: checkConsole,
  syntax: checkSyntax,
  focus: checkFocus,
  words: checkWords,
  names: checkNames,
  'line-length': checkLineLength,
  'function-length': checkFunctionLength,
  'file-length': checkFileLength,
  'coverage-ignores': checkCoverageIgnores,
  reachability: checkReachability,
  versions: checkVersions,
  readmes: checkReadmes,
  titles: checkTitles,
  'source-names': checkSourceNames,
  'error-codes': checkErrorCodes,
  options: checkOptions,
};
