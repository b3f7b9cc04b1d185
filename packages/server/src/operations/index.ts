export { assertKeyFile } from './keys/assert-key-file.ts'
export { assertKeysOpen } from './keys/sealed-columns.ts'
export { startMetrics } from './metrics/start-metrics.ts'
