import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOwnedDatabase, makeUnusual, type OwnedDatabase } from '../test/database/owned-database.ts'
import { nameOf, password, type Server, spawnServer, untilReady } from '../test/processes/killed-server.ts'
import { runCommandProcess } from '../test/processes/run-command.ts'

/* The kind: the portal relied on settings that the database's owner chooses. Here each of them has
   another value, and an operator installs, uses, verifies, backs up and restores the portal. */

const isPostgres = process.env.TEST_DATABASE === 'postgres'

const lastDay = '2030-12-05'

describe.runIf(isPostgres)('a database whose defaults are all unusual', () => {
  let folder: string
  const databases: OwnedDatabase[] = []
  const servers: Server[] = []
  const settings = {
    APP_SECRET: 'segredo-de-teste-com-mais-de-32-letras',
    MIN_FREE_MB: '0',
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bi-manager-unusual-'))
  })
  afterAll(async () => {
    for (const { child } of servers) child.kill('SIGKILL')
    for (const { drop } of databases) await drop()
    await rm(folder, { recursive: true, force: true })
  })

  const install = async (name: string) => {
    const database = await createOwnedDatabase()
    databases.push(database)
    await makeUnusual(database)
    const dataDir = join(folder, name)
    await mkdir(dataDir)
    return { ...settings, DATABASE_URL: database.url, DATA_DIR: dataDir }
  }

  const start = async (environment: Record<string, string> & { DATA_DIR: string }) => {
    const server = await spawnServer(environment.DATA_DIR, environment)
    servers.push(server)
    expect(await untilReady(server), server.output()).toBe(true)
    return server
  }

  const stop = async ({ child }: Server) => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  }

  const signIn = async ({ url }: Server) => {
    const call = async (method: string, path: string, body?: object, token?: string) => {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      expect([200, 201], `${method} ${path}: ${await response.clone().text()}`).toContain(response.status)
      return response
    }
    const credentials = { username: nameOf(0), password }
    const signedIn = await call('POST', '/usuarios/authorizer', credentials)
    const { access_token } = (await signedIn.json()) as { access_token: string }
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back.
    return async (method: string, path: string, body?: object): Promise<any> =>
      (await call(method, path, body, access_token)).json()
  }

  const logoOf = async ({ url }: Server, mark: string) =>
    Buffer.from(await (await fetch(`${url}/api/portal/logo/${mark}`)).arrayBuffer())

  test('a database whose defaults are all unusual is installed, used, verified, backed up and restored', {
    timeout: 300_000,
  }, async () => {
    const environment = await install('primeira')
    const server = await start(environment)
    const call = await signIn(server)
    const connection = await call('POST', '/usuarios/powerbi', {
      nome: 'Conexão',
      username: 'principal',
      password: 'segredo',
      clienteId: 1,
      idResponsavel: 1,
    })
    const workspace = await call('POST', '/usuarios/workspace', {
      nomeGrupo: 'Workspace',
      idGrupo: crypto.randomUUID(),
      idPowerBi: connection.idPowerBI,
    })
    const report = await call('POST', '/usuarios/relatorio', {
      idGrupoRelatorio: workspace.idGrupoRelatorio,
      nomeRelatorio: 'O\'Hara \\ "Ação"',
      operadoraRelatorio: 'CNU',
      reportId: crypto.randomUUID(),
    })
    for (const name of ['Conceição', 'Conrado', 'Consuelo']) {
      await call('POST', '/usuarios', {
        nomeUsuario: name,
        emailUsuario: `${name}@exemplo.com.br`.normalize('NFD').replace(/[^\w@.]/g, ''),
        tipoUsuario: 'USER',
        validoAte: lastDay,
        senhaUsuario: 'Outra senha de teste 8',
      })
    }
    const png = await sharp({ create: { width: 960, height: 240, channels: 4, background: '#7a1f5c' } })
      .png()
      .toBuffer()
    const look = { nome: 'Rede', cor: null, imagem: png.toString('base64') }
    const { logo: mark } = await call('PUT', '/configuracao/aparencia', look)

    const reports = await call('GET', '/usuarios/relatorio?pagina=1&busca=hara')
    expect(reports).toMatchObject([{ idRelatorio: report.idRelatorio, nomeRelatorio: 'O\'Hara \\ "Ação"' }])
    // Three matches of one index: a limit of the index would lose some.
    const people = await call('GET', '/usuarios?pagina=1&busca=con')
    expect(people.map(({ validoAte }: { validoAte: string }) => validoAte)).toEqual(Array(3).fill(lastDay))
    expect(JSON.stringify(await call('GET', '/auditoria?pagina=1'))).toContain('appearance.updated')
    await call('GET', '/usuarios/menus')
    const logo = await logoOf(server, mark)
    expect(await sharp(logo).metadata()).toMatchObject({ format: 'png', width: 480, height: 120 })
    await stop(server)

    const verify = () => runCommandProcess('audit-verify', [], environment)
    expect(await verify()).toEqual({ code: 0, output: expect.stringContaining('está íntegra') })
    const copy = join(folder, 'copia')
    expect(await runCommandProcess('backup', [copy], environment)).toEqual({
      code: 0,
      output: expect.stringContaining('Cópia feita'),
    })

    const second = await install('segunda')
    expect(await runCommandProcess('restore', [copy], second)).toEqual({
      code: 0,
      output: expect.stringContaining('restaurad'),
    })
    const restored = await start(second)
    expect(await logoOf(restored, mark)).toEqual(logo)
    const again = await signIn(restored)
    expect(await again('GET', '/usuarios?pagina=1&busca=con')).toEqual(people)
    await stop(restored)
  })
})
