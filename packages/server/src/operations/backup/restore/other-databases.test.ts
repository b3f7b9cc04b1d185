import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BackedUpInstallation,
  backUpInstallation,
  configOf,
  contentOf,
} from '../../../../test/backup/backed-up-installation.ts'
import { copyEmbedded } from '../../../../test/database/embedded-template.ts'
import { migrate } from '../../../platform/db/migrations/migrate.ts'
import { type Manifest, readManifest } from '../contents/manifest.ts'
import { readSequences, readTables } from '../contents/schema.ts'
import { writeBackup } from '../contents/write-backup.ts'
import { restoreBackup } from './restore-backup.ts'

let installation: BackedUpInstallation
beforeAll(async () => {
  installation = await backUpInstallation()
})
afterAll(() => installation.close())

/** The row counts of the tables that were counted at that version. */
const ofThen = (copy: string, table: Manifest['tabelas'][number]): Manifest['tabelas'][number] => {
  const file = join(copy, table.arquivo.caminho)
  const lines = gunzipSync(readFileSync(file)).toString().split('\n')
  const kept = lines.filter((line) => /"(usuario|relatorio)"/.test(line))
  const bytes = gzipSync(`${kept.join('\n')}\n`)
  writeFileSync(file, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { ...table, linhas: kept.length, arquivo: { ...table.arquivo, bytes: bytes.length, sha256 } }
}

/** An empty file for a table that no longer exists. */
const empty = (copy: string, nome: string): Manifest['tabelas'][number]['arquivo'] => {
  const caminho = `${nome}.jsonl.gz`
  const bytes = gzipSync('')
  writeFileSync(join(copy, caminho), bytes)
  return { caminho, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

// PostgreSQL only: the first test also opens an embedded database, the second a bare schema.
describe.runIf(process.env.TEST_DATABASE === 'postgres')('the restore to another database', () => {
  test('the restore to another database restores from one kind of database to the other and back', {
    timeout: 120_000,
  }, async () => {
    const { folder, backup, safe, before, emptyTarget, restore } = installation
    const embedded = mkdtempSync(join(folder, 'embutido-'))
    await copyEmbedded(join(embedded, 'database'))
    const config = configOf({ dataDir: embedded, databaseUrl: undefined })
    await restoreBackup(config, { folder: backup, keysFolder: safe }, () => {})
    const again = join(folder, 'copia-2')
    await writeBackup(config, again, () => {})
    const target = await emptyTarget()
    await restore(target, { folder: again })
    const { content } = await contentOf(target.db)
    const rest = [
      'auditoria',
      'auditoria_fila',
      'instalacao',
      'sessao',
      'telao_tela',
      'chave_api',
      'convidado_visita',
      'convidado_link',
    ]
    for (const [name, rows] of Object.entries(before.content)) {
      if (!rest.includes(name)) expect(content[name], name).toEqual(rows)
    }
    for (const line of before.content.auditoria ?? []) expect(content.auditoria).toContain(line)
  })

  test('the restore to another database loads a copy of an older schema into that schema, then migrates it', async () => {
    const { folder, backup, before, emptyTarget, restore } = installation
    const copy = mkdtempSync(join(folder, 'antiga-'))
    cpSync(backup, copy, { recursive: true })
    const old = '0002_back_office'
    const target = await emptyTarget()
    await sql`drop schema public cascade; create schema public`.execute(target.db)
    await migrate(target.db, { upTo: old })
    const tables = new Map((await readTables(target.db)).map(({ name, columns }) => [name, columns]))
    const known = new Set((await readSequences(target.db)).map(({ nome }) => nome))
    const { manifest } = readManifest(copy)
    const { selo: _, credenciais: __, ...then } = manifest
    const older: Manifest = {
      ...then,
      migracoes: manifest.migracoes.filter((name) => name <= old),
      tabelas: [...tables].map(([nome, colunas]) => {
        const table = manifest.tabelas.find((one) => one.nome === nome)
        if (!table) return { nome, colunas, linhas: 0, arquivo: empty(copy, nome) }
        return { ...(nome === 'total_linhas' ? ofThen(copy, table) : table), colunas }
      }),
      sequencias: manifest.sequencias.filter(({ nome }) => known.has(nome)),
    }
    writeFileSync(join(copy, 'manifest.json'), JSON.stringify(older))

    const isNewer = restore(await emptyTarget(), { folder: copy, trustFolder: true })
    await expect(isNewer).rejects.toThrow(/tabelas mais novas que a cópia/)
    await restore(target, { folder: copy, trustFolder: true })
    const { content } = await contentOf(target.db)
    expect(content.usuario?.length).toBe(before.content.usuario?.length)
    expect(content.configuracao).toHaveLength(1)
    // Migration 0003 queues the existing rows.
    expect(content.auditoria_fila?.length).toBe(content.auditoria?.length)
  })
})
