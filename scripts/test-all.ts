/** Runs every test but the long ones: `npm test` without its selection. */
process.env.TESTS = 'all'
await import('./test.ts')
