import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/database/test-database.ts'
import { shortLived } from '../../../test/processes/killed-server.ts'
import { createUser } from '../../../test/users.ts'
import { loadSecrets } from '../../platform/config/secrets.ts'
import { type Db, openDatabase } from '../../platform/db/open-database.ts'

/* Runs `npm run records:grant` as an operator does; the embedded database must be closed
   first. */

// A busy machine needs many seconds for each process.
vi.setConfig({ testTimeout: 180_000 })

const run = fileURLToPath(new URL('../../../../../scripts/run.js', import.meta.url))

let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase({ alone: true })
  loadSecrets(undefined, database.dataDir)
  await createUser(database, {
    tipoUsuario: 'ADMIN',
    nomeUsuario: 'Rita Admin',
    emailUsuario: 'rita@exemplo.com.br',
  })
})
afterEach(() => database.close())

const isEmbedded = process.env.TEST_DATABASE !== 'postgres'
const settings = () => (database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : {})

const grant = async (...args: string[]) => {
  if (isEmbedded) await database.db.destroy()
  const child = spawn(process.execPath, [...shortLived.flags, run, 'records-grant', ...args], {
    env: { ...shortLived.env, DATA_DIR: database.dataDir, ...settings() },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  if (isEmbedded) {
    const { dataDir, databaseUrl } = database
    database.db = await openDatabase({ dataDir, databaseUrl, onError: console.error })
  }
  return { code, output }
}

const flags = (db: Db) =>
  db.selectFrom('usuario').select(['acessoProntuario', 'encarregadoDados']).orderBy('idUsuario').execute()
const told = (db: Db) => db.selectFrom('notificacao').select(['titulo', 'texto']).execute()

test('the command grants the only ADMIN access to medical records once, with an audit line and a notification', async () => {
  const first = await grant('RITA@exemplo.com.br')
  expect(first).toEqual({
    code: 0,
    output: expect.stringContaining('Rita Admin (rita@exemplo.com.br) tem agora o acesso a prontuários.'),
  })
  expect(await flags(database.db)).toEqual([{ acessoProntuario: true, encarregadoDados: false }])
  const again = await grant('rita@exemplo.com.br')
  expect(again).toEqual({ code: 0, output: expect.stringContaining('nada mudou') })
  const officer = await grant('rita@exemplo.com.br', '--encarregado')
  expect(officer.output).toContain('a função de encarregado de dados')
  expect(await flags(database.db)).toEqual([{ acessoProntuario: true, encarregadoDados: true }])
  const trail = await database.db
    .selectFrom('auditoria')
    .select(['idUsuario', 'detalhes'])
    .where('acao', '=', 'user.granted-on-server')
    .orderBy('idAuditoria')
    .execute()
  expect(trail).toMatchObject([
    { idUsuario: null, detalhes: { depois: { acessoProntuario: true } } },
    { idUsuario: null, detalhes: { depois: { encarregadoDados: true } } },
  ])
  expect(await told(database.db)).toEqual([
    {
      titulo: 'Acesso a prontuários: concedido',
      texto: 'Um comando no servidor deu a você o acesso a prontuários.',
    },
    {
      titulo: 'Encarregado de dados: concedido',
      texto: 'Um comando no servidor deu a você a função de encarregado de dados.',
    },
  ])
})

test('the command refuses an account that an ADMIN can grant in the portal, and an unknown e-mail', async () => {
  await createUser(database, { emailUsuario: 'ana@exemplo.com.br' })
  for (const [email, sentence] of [
    ['ana@exemplo.com.br', 'só para o único administrador ativo'],
    ['outra@exemplo.com.br', 'Nenhuma conta tem o e-mail outra@exemplo.com.br.'],
  ] as const) {
    expect(await grant(email)).toEqual({ code: 1, output: expect.stringContaining(sentence) })
  }
  expect((await grant()).output).toContain('Uso: npm run records:grant -- <e-mail> [--encarregado]')
  await createUser(database, { tipoUsuario: 'ADMIN' })
  const refused = await grant('rita@exemplo.com.br')
  expect(refused).toEqual({ code: 1, output: expect.stringContaining('só para o único administrador ativo') })
  const rows = await flags(database.db)
  expect(rows.some(({ acessoProntuario }) => acessoProntuario)).toBe(false)
  expect(await told(database.db)).toEqual([])
})

test('the command does not create a database when DATA_DIR is wrong', async () => {
  if (!isEmbedded) return
  const dataDir = `${database.dataDir}/outra`
  const child = spawn(process.execPath, [...shortLived.flags, run, 'records-grant', 'rita@exemplo.com.br'], {
    env: { ...shortLived.env, DATA_DIR: dataDir },
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  expect((await once(child, 'close'))[0]).toBe(1)
  expect(output).toContain(`Não há banco de dados em ${dataDir}`)
})
