export { assertKeyFile } from './keys/assert-key-file.ts'
export { assertKeysDecrypt } from './keys/encrypted-columns.ts'
export { startMetrics } from './metrics/start-metrics.ts'
