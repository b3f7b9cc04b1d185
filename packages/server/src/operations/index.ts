export { assertKeyFile } from './keys/assert-key-file.ts'
export { assertKeysOpen } from './keys/encrypted-columns.ts'
export { startMetrics } from './metrics/start-metrics.ts'
