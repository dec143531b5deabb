#!/usr/bin/env node
import('../dist/raftctl/main.js');
