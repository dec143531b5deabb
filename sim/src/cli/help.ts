/** What stands below the list of commands: what one would want to try. */
export const EXAMPLES = `
Try:
  npm run sim -- storm                         200 clusters in storms; what happened, and how often
  npm run sim -- storm --seed 7 --seeds 5000   from seed 7 on, on all cores
  npm run sim -- replay 7 --trace              one storm as a story, one line an event
  npm run sim -- replay 7 --html storm.html    the same, drawn: open it in a browser
  npm run sim -- explore --scope elections     every state the core can reach, none left out
  npm run sim -- planted --class a             breaks the code on purpose; each mistake is caught
  npm run sim -- planted --bug M01             one of them, with the story of how it was caught
  npm run sim -- check-history FILE            is this history of yours linearizable?

A failure prints one page and the command that repeats it. Exit codes: 0 fine, 1 a gate is broken,
a planted bug was missed or a history undecided, 2 usage, 127 an assertion or a crash, 128 liveness,
129 a checker.
`;
