/**
 * ρ: so much faster or slower than true time a clock may run (DESIGN, time). Stated here and not
 * taken from the client: a client that believed in better clocks must not make the checkers do so.
 */
export const CLOCK_RATE_BOUND = 0.01;
