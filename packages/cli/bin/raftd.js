#!/usr/bin/env node
// CommonJS on purpose: loading an ES module already starts libuv's thread pool, whose size is
// fixed from then on. Four threads would let slow name look-ups hold up fsync.
process.env.UV_THREADPOOL_SIZE ??= '16';
import('../dist/raftd/main.js');
