/** Light and dark, as the reader's system is. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --page: #fbfbfa; --ink: #1c1c1a; --faint: #8a8a84;
  --line: #dcdcd6; --card: #ffffff; --bad: #c42b2b; --cold: #3c78c8; --gold: #c99a16;
  --good: #2e8b57; --tone: 46%; --tone-deep: 30%; --tone-pale: 66%; }
@media (prefers-color-scheme: dark) { :root { --page: #161615; --ink: #e8e8e3; --faint: #85857e;
  --line: #33332f; --card: #21211f; --bad: #ef6a6a; --cold: #78aaf0; --gold: #e3bd4c;
  --good: #5cc08a; --tone: 62%; --tone-deep: 48%; --tone-pale: 80%; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 13px/1.45 ui-sans-serif, system-ui, sans-serif; }
header { padding: 20px 24px 12px; max-width: 1280px; }
h1 { font-size: 17px; line-height: 1.35; margin: 0 0 6px; font-weight: 650; }
h1.failed { color: var(--bad); }
header p { margin: 2px 0; color: var(--faint); }
code { font: 12px ui-monospace, monospace; color: var(--ink); }
nav { position: sticky; left: 0; display: flex; flex-wrap: wrap; gap: 4px 16px;
  padding: 8px 24px; align-items: center; width: fit-content; max-width: 100vw; }
#ending { font: 12px/1.5 ui-monospace, monospace; margin: 4px 0 8px; padding: 8px 12px;
  overflow-x: auto; border-left: 3px solid var(--bad); background: var(--card); }
#ending b { color: var(--bad); }
nav label { cursor: pointer; user-select: none; }
nav a { color: inherit; font-weight: 600; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px;
  margin: 0 4px 0 12px; vertical-align: -1px; }
#bar { position: sticky; top: 0; z-index: 2; background: var(--page); }
#lanes { position: relative; height: 30px; border-bottom: 1px solid var(--line); }
#lanes b { position: absolute; top: 6px; transform: translateX(-50%); white-space: nowrap; }
#lanes b.client, #lanes b.world { font-weight: 500; color: var(--faint); }
svg { display: block; font: 11px ui-monospace, monospace; }
svg text { fill: var(--ink); }
svg text.time, svg text.minor { fill: var(--faint); }
.rail { stroke: var(--line); }
.arrow { fill: none; stroke-width: 1.2; }
.arrow.heartbeat { opacity: .35; }
.arrow.lost { stroke-dasharray: 4 3; }
.cross { stroke-width: 1.6; }
.dot { fill: var(--faint); stroke: transparent; stroke-width: 7; cursor: crosshair; }
.dot.state, .dot.told, .dot.client { fill: var(--ink); } .dot.life { fill: var(--bad); }
.dot.disk, .dot.apply { opacity: .6; }
.dot:hover, .dot.at { stroke: var(--gold); stroke-width: 3; }
.follower { opacity: .4; } .candidate, .pre-candidate { opacity: .75; }
.down { fill: var(--bad); opacity: .28; } .frozen { fill: var(--cold); opacity: .3; }
.cut { fill: var(--bad); opacity: .55; } .leads { fill: var(--gold); }
.operation { fill: var(--faint); opacity: .55; } .operation.answered { fill: var(--good); }
.operation.indeterminate { fill: var(--gold); } .operation.rejected { fill: var(--bad); }
.lead-line { fill: none; stroke: var(--line); }
.hide-message .message, .hide-heartbeat .heartbeat, .hide-disk .disk, .hide-apply .apply,
.hide-client .client-part { display: none; }
#end { stroke: var(--bad); stroke-width: 2; }
#end.passed { stroke: var(--good); }
svg text.verdict { font-weight: 700; } svg text.verdict.failed { fill: var(--bad); }
#tip { position: fixed; z-index: 3; max-width: 460px; padding: 8px 11px; display: none;
  background: var(--card); border: 1px solid var(--line); border-radius: 7px;
  box-shadow: 0 4px 18px rgb(0 0 0 / .18); pointer-events: none; overflow-wrap: anywhere; }
#tip b { font-weight: 600; } #tip .change { color: var(--gold); font-weight: 600; }
`;
