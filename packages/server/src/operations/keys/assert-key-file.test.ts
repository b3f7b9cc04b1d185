import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { keyFileOf } from '../../platform/config/key-file.ts'
import { loadSecrets } from '../../platform/config/secrets.ts'
import { assertKeyFile } from './assert-key-file.ts'
import { rotateIn } from './rotate-secrets.ts'

const app = useTestApp()
let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-keys-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const config = () => ({ ...app.services.config, appSecret: undefined, dataDir })
const lost = /^O arquivo de chaves .*app-secret\.key não existe, e este banco já tem dados/

test('a lost key file is named before a new one is made', async () => {
  await createUser(app)
  await expect(assertKeyFile(app.db, config())).rejects.toThrow(lost)
  await expect(rotateIn(app.db, config(), {}, () => {})).rejects.toThrow(lost)
  expect(existsSync(keyFileOf(dataDir))).toBe(false)
})

test('an existing file, a given secret and a database without people are accepted', async () => {
  await app.db.deleteFrom('usuario').execute()
  await assertKeyFile(app.db, config())
  await createUser(app)
  await assertKeyFile(app.db, { ...config(), appSecret: ['x'.repeat(40)] })
  loadSecrets(undefined, dataDir)
  await assertKeyFile(app.db, config())
  rmSync(keyFileOf(dataDir))
  await expect(assertKeyFile(app.db, config())).rejects.toThrow(lost)
})
