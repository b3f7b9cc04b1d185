import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BackedUpInstallation,
  backUpInstallation,
  contentOf,
} from '../../../../test/backup/backed-up-installation.ts'
import { storedFiles } from '../../../../test/clinical/kept-files.ts'
import { createUser, password } from '../../../../test/users.ts'
import { buildApp } from '../../../app.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { loadSecrets } from '../../../platform/config/secrets.ts'
import { buildServices } from '../../../start-server.ts'
import type { Finding } from '../../audit/finding.ts'
import { verifyChain } from '../../audit/verify-chain.ts'
import { restoreBackup } from './restore-backup.ts'

let installation: BackedUpInstallation
beforeAll(async () => {
  installation = await backUpInstallation()
})
afterAll(() => installation.close())

/** Applies to the backed-up content what a restore changes. */
const asRestored = (content: Record<string, string[]>) => ({
  ...content,
  instalacao: content.instalacao?.map((line) => ({ ...JSON.parse(line), ensaio: expect.any(Object) })),
  sessao: content.sessao?.map((line) => ({ ...JSON.parse(line), encerrada_em: expect.any(String) })),
  telao_tela: [],
  convidado_visita: [],
  convidado_link: [],
  chave_api: [],
})

const withoutRestoreRecord = ({ content }: Awaited<ReturnType<typeof contentOf>>) => {
  const added = (content.auditoria ?? []).find((line) => line.includes('backup.restored')) ?? '{}'
  const { id_auditoria } = JSON.parse(added)
  return {
    ...content,
    instalacao: content.instalacao?.map((line) => JSON.parse(line)),
    sessao: content.sessao?.map((line) => JSON.parse(line)),
    auditoria: content.auditoria?.filter((line) => line !== added),
    auditoria_fila: content.auditoria_fila?.filter((line) => JSON.parse(line).id_auditoria !== id_auditoria),
  }
}

describe('the restore', () => {
  test('the restore brings back all rows, sequences, files and keys; users sign in and secrets open', async () => {
    const { backup, source, before, email, device, attachment, emptyTarget, restore } = installation
    const target = await emptyTarget()
    await restore(target, { folder: backup })
    const after = await contentOf(target.db)
    expect(withoutRestoreRecord(after)).toEqual(asRestored(before.content))
    const ids = (list: typeof after.sequences) => list.filter(({ nome }) => !nome.startsWith('auditoria'))
    expect(ids(after.sequences)).toEqual(ids(before.sequences))

    const config = loadConfig({ LOG_LEVEL: 'silent', DATA_DIR: target.dataDir })
    const secrets = loadSecrets(config.appSecret, config.dataDir)
    const [row] = await target.db.selectFrom('powerbi').select('segredo').execute()
    expect(row && secrets.decrypt(row.segredo)).toBe('senha-do-bi')
    expect(await target.db.selectFrom('dispositivoConhecido').select('marca').execute()).toEqual([
      { marca: secrets.digest(`dispositivo:${device}`) },
    ])
    const server = await buildApp(buildServices(config, target.db, secrets))
    const answer = await server.inject({
      method: 'POST',
      url: '/api/usuarios/authorizer',
      payload: { username: email, password },
    })
    expect(answer.statusCode).toBe(200)
    const signIn = await server.inject({
      method: 'POST',
      url: '/api/usuarios/authorizer',
      payload: { username: attachment.sender.emailUsuario, password },
    })
    const file = await server.inject({
      method: 'GET',
      url: attachment.url,
      headers: { authorization: `Bearer ${signIn.json().access_token}` },
    })
    expect(file.statusCode).toBe(200)
    expect(file.rawPayload).toEqual(attachment.bytes)
    await server.close()

    // Triggers work again, and sequences continue without reusing an id.
    const created = await createUser({ db: target.db }, { emailUsuario: 'depois@exemplo.com.br' })
    expect(created.idUsuario).toBe(5)
    const { total } = await target.db
      .selectFrom('totalLinhas')
      .select('total')
      .where('tabela', '=', 'usuario')
      .executeTakeFirstOrThrow()
    expect(total).toBe(4)
    const findings: Finding[] = []
    await verifyChain(target.db, secrets, (finding) => findings.push(finding))
    expect(findings).toEqual([])
    const [name = '', ...others] = await storedFiles(target.dataDir)
    expect(others).toEqual([])
    const kept = (dataDir: string) => readFileSync(join(dataDir, 'attachments', name))
    expect(kept(target.dataDir)).toEqual(kept(source.dataDir))
    expect(kept(target.dataDir).includes(attachment.bytes.subarray(0, 8))).toBe(false)
    expect(readFileSync(join(target.dataDir, 'reports/service.json'), 'utf8')).toContain('do serviço')
    expect(statSync(join(target.dataDir, 'app-secret.key')).mode & 0o777).toBe(0o600)
    await expect(restore(target, { folder: backup })).rejects.toThrow(/não está vazio \(/)
  })

  test('the restore accepts keys stored elsewhere, and refuses others before it changes anything', async () => {
    const { folder, backup, safe, emptyTarget, restore } = installation
    const withoutKeys = join(folder, 'sem-chaves')
    cpSync(backup, withoutKeys, { recursive: true })
    rmSync(join(withoutKeys, 'keys'), { recursive: true })
    const target = await emptyTarget()
    const restoreWith = (appSecret?: string[], keysFolder?: string) =>
      restore(target, { folder: withoutKeys, keysFolder: keysFolder ?? join(withoutKeys, 'keys') }, appSecret)
    await expect(restoreWith()).rejects.toThrow(/Faltam as chaves: .* --keys/)
    await expect(restoreWith(['uma chave que não é a da instalação'])).rejects.toThrow(/não são as da cópia/)
    const right = readFileSync(join(safe, 'app-secret.key'), 'utf8').trim()
    await expect(restoreWith([right, 'uma chave mais antiga que a da cópia!'])).rejects.toThrow(
      /A chave mais antiga daqui não é a da cópia/,
    )
    await restoreWith(undefined, safe)
    expect(existsSync(join(target.dataDir, 'app-secret.key'))).toBe(true)
  })

  test('the restore creates no data folder when it refuses the copy', async () => {
    const { folder, safe, copyOf } = installation
    const copy = copyOf('alterada-')
    writeFileSync(join(copy, 'tables/perfil.ndjson.gz'), 'alterado')
    const dataDir = join(folder, 'vazia')
    const config = { dataDir, databaseUrl: undefined, appSecret: undefined }
    const refused = restoreBackup(config, { folder: copy, keysFolder: safe }, () => {})
    await expect(refused).rejects.toThrow(/falta ou foi alterado/)
    expect(existsSync(dataDir)).toBe(false)
  })

  test('the restore leaves nothing in an empty folder when it refuses a credential', async () => {
    const { folder, safe, backup } = installation
    const keysFolder = join(folder, 'outras-credenciais')
    cpSync(safe, keysFolder, { recursive: true })
    writeFileSync(join(keysFolder, 'reports/service.json'), '{}')
    const dataDir = join(folder, 'sem-credenciais')
    const config = { dataDir, databaseUrl: undefined, appSecret: undefined }
    await expect(restoreBackup(config, { folder: backup, keysFolder }, () => {})).rejects.toThrow(
      /service\.json .* não é o da cópia/,
    )
    expect(existsSync(dataDir)).toBe(false)
  })

  // The kind of fault: a repeated restore takes what it did itself for what another has done.
  test('the restore repeats an interrupted restore of a copy that lacks a migration before its newest', {
    timeout: 120_000,
  }, async () => {
    const { before, emptyTarget, restore, rewrite, copyOf } = installation
    const copy = copyOf('com-lacuna-')
    rewrite(copy, (fields) => {
      fields.migracoes = fields.migracoes.filter((name) => name !== '0056_subscribed_visuals')
      for (const table of fields.tabelas) {
        if (table.nome === 'assinatura') table.colunas = table.colunas.filter((name) => name !== 'visuais')
      }
    })
    const older = copyOf('anterior-')
    rewrite(older, (fields) => fields.migracoes.pop())
    // As an interruption leaves it: every migration, and no rows.
    const target = await emptyTarget()
    await expect(restore(target, { folder: older })).rejects.toThrow(/tabelas mais novas que a cópia/)
    await restore(target, { folder: copy })
    const { content } = await contentOf(target.db)
    expect(content.usuario).toEqual(before.content.usuario)
    expect(content.assinatura).toHaveLength(before.content.assinatura?.length ?? 0)
  })

  test('the restore refuses a copy that is truncated, altered or of a newer version, and changes nothing', async () => {
    const { backup, emptyTarget, restore, rewrite, copyOf } = installation
    const target = await emptyTarget()
    const spoilt = async (spoil: (copy: string) => void) => {
      const copy = copyOf('estragada-')
      spoil(copy)
      return restore(target, { folder: copy })
    }
    await expect(spoilt((copy) => rmSync(join(copy, 'manifest.json')))).rejects.toThrow(
      /Não há cópia completa/,
    )
    await expect(spoilt((copy) => writeFileSync(join(copy, 'manifest.json'), '{}'))).rejects.toThrow(
      /não é de uma cópia/,
    )
    await expect(spoilt((copy) => rmSync(join(copy, 'tables/perfil.ndjson.gz')))).rejects.toThrow(
      /tables\/perfil\.ndjson\.gz da cópia falta ou foi alterado/,
    )
    await expect(
      spoilt((copy) => {
        const file = join(copy, 'tables/usuario.ndjson.gz')
        const text = gunzipSync(readFileSync(file)).toString().replaceAll('"USER"', '"ADMIN"')
        writeFileSync(file, gzipSync(text))
      }),
    ).rejects.toThrow(/foi alterado/)
    await expect(
      spoilt((copy) => rewrite(copy, ({ migracoes }) => migracoes.push('9999_do_futuro'))),
    ).rejects.toThrow(/versão mais nova .*9999_do_futuro/)
    await expect(
      spoilt((copy) =>
        rewrite(copy, ({ arquivos: [file] }) => {
          if (file) file.caminho = 'files/../../fora'
        }),
      ),
    ).rejects.toThrow(/não é de uma cópia/)
    await expect(
      spoilt((copy) =>
        rewrite(copy, ({ tabelas: [table] }) => {
          if (table) table.linhas += 1
        }),
      ),
    ).rejects.toThrow(/e o manifesto diz/)
    // The refused loads were rolled back: the same target accepts the good copy.
    await restore(target, { folder: backup })
  })
})
