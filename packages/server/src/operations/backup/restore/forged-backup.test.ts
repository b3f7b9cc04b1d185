import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BackedUpInstallation,
  backUpInstallation,
} from '../../../../test/backup/backed-up-installation.ts'
import { secretsOf } from '../../../platform/config/secrets.ts'
import { type Manifest, readManifest } from '../contents/manifest.ts'
import { tablesInUse } from '../contents/schema.ts'

let installation: BackedUpInstallation
beforeAll(async () => {
  installation = await backUpInstallation()
})
afterAll(() => installation.close())

describe('a restore from a folder that attackers can write to', () => {
  /** Makes every user an ADMIN, and adjusts the digests in the manifest. */
  const forge = (copy: string) => (fields: Manifest) => {
    const table = fields.tabelas.find(({ nome }) => nome === 'usuario')
    if (!table) throw new Error('no people')
    const file = join(copy, table.arquivo.caminho)
    const bytes = gzipSync(gunzipSync(readFileSync(file)).toString().replaceAll('"USER"', '"ADMIN"'))
    writeFileSync(file, bytes)
    Object.assign(table.arquivo, {
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
  }
  const stolen = 'uma chave que só o atacante conhece, e mais ninguém'

  test('a restore from a folder that attackers can write to refuses a forged manifest, with any seal, and changes nothing', async () => {
    const { emptyTarget, restore, rewrite, copyOf } = installation
    const target = await emptyTarget()
    const reencrypted = copyOf('forjada-')
    rewrite(reencrypted, forge(reencrypted), stolen)
    await expect(restore(target, { folder: reencrypted })).rejects.toThrow(
      /O manifesto da cópia foi alterado, ou não foi feito por esta instalação/,
    )
    const kept = copyOf('forjada-')
    const { selo } = readManifest(kept).manifest
    rewrite(kept, forge(kept))
    const file = join(kept, 'manifest.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), selo }))
    await expect(restore(target, { folder: kept, trustFolder: true })).rejects.toThrow(
      /manifesto da cópia foi/,
    )
    expect(await tablesInUse(target.db)).toEqual([])
    expect(existsSync(join(target.dataDir, 'app-secret.key'))).toBe(false)
  })

  test('a restore from a folder that attackers can write to refuses a copy without a seal, removed or of an earlier version, without --trust-folder', async () => {
    const { emptyTarget, restore, copyOf } = installation
    const target = await emptyTarget()
    const copy = copyOf('sem-selo-')
    const { selo: _, credenciais: __, ...unsealed } = readManifest(copy).manifest
    writeFileSync(join(copy, 'manifest.json'), JSON.stringify(unsealed))
    await expect(restore(target, { folder: copy })).rejects.toThrow(/A cópia não tem selo.*--trust-folder/)
    await restore(target, { folder: copy, trustFolder: true })
  })

  test('a restore from a folder that attackers can write to does not trust a key in the folder, or behind a link in it', async () => {
    const { folder, safe, emptyTarget, restore, rewrite, copyOf } = installation
    const target = await emptyTarget()
    const copy = copyOf('chaves-trocadas-')
    rewrite(copy, ({ chaves }) => (chaves.ids = [...secretsOf([stolen]).encryptionKeyIds]), stolen)
    writeFileSync(join(copy, 'keys/app-secret.key'), stolen)
    const withTheirs = (keysFolder?: string) => restore(target, { folder: copy, keysFolder })
    await expect(withTheirs(undefined)).rejects.toThrow(/As chaves estão na própria cópia.*--keys/)
    cpSync(join(copy, 'keys'), join(folder, 'de-fora'), { recursive: true })
    rmSync(join(copy, 'keys'), { recursive: true })
    symlinkSync(join(folder, 'de-fora'), join(copy, 'keys'))
    await expect(withTheirs(undefined)).rejects.toThrow(/As chaves estão na própria cópia/)
    await expect(withTheirs(safe)).rejects.toThrow(/não são as da cópia/)
    const cut = mkdtempSync(join(folder, 'cortada-'))
    writeFileSync(join(cut, 'app-secret.key'), 'cortado')
    await expect(withTheirs(cut)).rejects.toThrow(/O arquivo de chaves .* está vazio ou cortado/)
    expect(existsSync(join(target.dataDir, 'app-secret.key'))).toBe(false)
  })

  test("a restore from a folder that attackers can write to accepts only the report service's credentials that were copied", async () => {
    const { safe, emptyTarget, restore, copyOf } = installation
    const target = await emptyTarget()
    const copy = copyOf('credenciais-')
    writeFileSync(join(copy, 'keys/reports/service.json'), '{"credencial":"do atacante"}')
    const secret = readFileSync(join(safe, 'app-secret.key'), 'utf8').trim()
    const ours = () => restore(target, { folder: copy, keysFolder: undefined }, [secret])
    await expect(ours()).rejects.toThrow(/reports\/service\.json em .* não é o da cópia/)
    cpSync(join(safe, 'reports/service.json'), join(copy, 'keys/reports/service.json'))
    await ours()
  })

  test('a restore from a folder that attackers can write to restores a copy with the keys in it when the operator trusts the folder', async () => {
    const { backup, emptyTarget, restore } = installation
    await restore(await emptyTarget(), { folder: backup, keysFolder: undefined, trustFolder: true })
  })
})
