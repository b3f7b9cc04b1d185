import { testLargeTables } from '../../../test/clinical/clinical-keys.ts'

testLargeTables({ many: 50_000, waitingRows: 10_000 })
