import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../../../test/accounts/api-keys.ts'
import { connectMcp } from '../../../test/reports/mcp-client.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

/* scripts/vitest/mcp.test.ts reads rows of the report service. */

const { suite, publish, viewer } = embeddingSuite()

let origin: string
beforeAll(async () => {
  origin = await suite.app.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  await suite.app.db.updateTable('regrasChaves').set({ mcp: true, pessoas: true }).execute()
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

/** Sends one message as the protocol of 2025 does. */
const send = async (
  authorization: string | undefined,
  headers = {},
  body: unknown = ping,
  method = 'POST',
) => {
  const response = await fetch(`${origin}/mcp`, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(authorization ? { authorization } : {}),
      ...headers,
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
  return [response.status, isProblem ? JSON.parse(text).codigo : text] as const
}

const person = () => createUser(suite.app)
const keyOf = async (user: { idUsuario: number }, fields = {}) =>
  `Bearer ${(await createKey(suite.app, user, fields)).credencial}`

describe('/mcp', () => {
  test('/mcp answers 404 while it is off, which is the default', async () => {
    await suite.app.reset()
    const boss = await createUser(suite.app, { tipoUsuario: 'ADMIN' })
    expect(await send(await keyOf(boss))).toEqual([404, 'nao_encontrado'])
  })

  test('/mcp answers only keys that may read the data of reports', async () => {
    const user = await person()
    expect(await send(undefined)).toEqual([401, 'sessao_ausente'])
    const { token } = await suite.app.as(user)
    expect(await send(`Bearer ${token}`)).toEqual([401, 'chave_invalida'])
    expect(await send(await keyOf(user, { grupos: ['RELATORIOS'] }))).toEqual([403, 'chave_sem_permissao'])
    const [status, text] = await send(await keyOf(user, { grupos: ['DADOS'] }))
    expect([status, text]).toEqual([200, expect.stringContaining('"result":{}')])
  })

  test('/mcp refuses pages of other origins, as after DNS rebinding, and large messages', async () => {
    const key = await keyOf(await person())
    expect(await send(key, { origin: 'http://evil.example' })).toEqual([403, 'sem_permissao'])
    expect(await send(key, { 'sec-fetch-site': 'cross-site' })).toEqual([403, 'sem_permissao'])
    expect((await send(key, { origin: suite.app.services.config.publicUrl }))[0]).toBe(200)
    const large = { ...ping, params: { text: 'x'.repeat(70_000) } }
    expect(await send(key, {}, large)).toEqual([413, 'corpo_grande_demais'])
  })

  test('/mcp refuses a batch, whose messages would count as one call', async () => {
    const key = await keyOf(await person())
    const march = { 'mcp-protocol-version': '2025-03-26' }
    expect(await send(key, march)).toEqual([200, expect.stringContaining('"result":{}')])
    expect(await send(key, march, [ping, { ...ping, id: 2 }])).toEqual([400, 'requisicao_invalida'])
  })

  test('/mcp keeps no session and opens no stream', async () => {
    const key = await keyOf(await person())
    expect((await send(key, {}, undefined, 'GET'))[0]).toBe(405)
    expect((await send(key, {}, undefined, 'DELETE'))[0]).toBe(405)
    const { credencial } = await createKey(suite.app, await person())
    const { client } = await connectMcp(origin, credencial, { mode: 'auto' })
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow(/limit/i)
    await client.close()
  })

  test('/mcp loads the SDK with the first call only', async () => {
    const { readFile } = await import('node:fs/promises')
    const routes = await readFile(new URL('./mcp.routes.ts', import.meta.url), 'utf8')
    const tools = await readFile(new URL('./report-tools.ts', import.meta.url), 'utf8')
    expect(`${routes}${tools}`).not.toContain('@modelcontextprotocol')
    expect(routes).toContain("await import('./mcp-server.ts')")
  })
})

describe.each(['legacy', 'auto'] as const)('a client of the SDK (%s)', (mode) => {
  test('a client of the SDK lists the two tools, and the reports that the person may see', async () => {
    const { report } = await publish({ nomeRelatorio: 'Sinistralidade' })
    await publish({ nomeRelatorio: 'De outros' })
    const { user } = await viewer(report.idRelatorio)
    const { credencial } = await createKey(suite.app, user, { nome: 'Assistente' })
    const { client, callTool } = await connectMcp(origin, credencial, { mode })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['listar_relatorios', 'ler_dados_do_relatorio'])
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual([true, true])
    const { data } = await callTool('listar_relatorios')
    expect(data).toEqual({
      relatorios: [
        {
          relatorio: report.idRelatorio,
          nome: 'Sinistralidade',
          workspace: 'Gestão',
          dadosLegiveis: false,
        },
      ],
    })
    expect((await callTool('listar_relatorios', { busca: 'outros' })).data.relatorios).toEqual([])
    const [line] = await suite.app.db
      .selectFrom('auditoria')
      .selectAll()
      .where('acao', '=', 'mcp.reports-listed')
      .execute()
    expect(line).toMatchObject({
      idUsuario: user.idUsuario,
      detalhes: { relatorios: 1, chaveApi: 'Assistente' },
    })
    await client.close()
  })

  test.each([
    ['of Microsoft’s reports', {}, /^Este relatório é do Power BI da Microsoft/],
    ['of reports with sensitive data', { sensivel: true }, /^Este relatório tem dados sensíveis/],
  ])(
    'a client of the SDK is told that the data %s cannot be read, and no token is issued',
    async (_which, fields, sentence) => {
      const { report } = await publish(fields)
      const { user } = await viewer(report.idRelatorio)
      const { credencial } = await createKey(suite.app, user)
      const { client, callTool } = await connectMcp(origin, credencial, { mode })
      const { isError, text } = await callTool('ler_dados_do_relatorio', { relatorio: report.idRelatorio })
      expect([isError, text]).toEqual([true, expect.stringMatching(sentence)])
      const issued = suite.app.db.selectFrom('auditoria').select('acao').where('acao', '=', 'embed.issued')
      expect(await issued.execute()).toEqual([])
      await client.close()
    },
  )

  test('a client of the SDK gets the same answer for a report of others and for one that does not exist', async () => {
    const { report } = await publish()
    const { credencial } = await createKey(suite.app, await person())
    const { client, callTool } = await connectMcp(origin, credencial, { mode })
    const [others, missing] = [
      await callTool('ler_dados_do_relatorio', { relatorio: report.idRelatorio }),
      await callTool('ler_dados_do_relatorio', { relatorio: 999_999 }),
    ]
    expect([others.isError, others.text]).toEqual([missing.isError, missing.text])
    expect(others.isError).toBe(true)
    await client.close()
  })
})

test('a person asks for data 60 times a minute, with all keys together', async () => {
  // A minute of its own: other tests have people with the same ids.
  suite.app.clock.offsetMs = 3_600_000
  const user = await person()
  const params = { name: 'ler_dados_do_relatorio', arguments: { relatorio: 999 } }
  const read = async (key: string) =>
    (await send(key, {}, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }))[1]
  const keys = [await keyOf(user), await keyOf(user)]
  for (let n = 0; n < 30; n += 1)
    for (const key of keys) expect(await read(key)).toContain('não está liberado')
  for (const key of keys) expect(await read(key)).toContain('Muitas tentativas')
  expect(await read(await keyOf(await person()))).toContain('não está liberado')
})

test('a revoked key is refused at the next message', async () => {
  const { credencial, idChave } = await createKey(suite.app, await person())
  const { client, callTool } = await connectMcp(origin, credencial)
  expect((await callTool('listar_relatorios')).isError).toBe(false)
  await suite.app.db.deleteFrom('chaveApi').where('idChave', '=', idChave).execute()
  await expect(callTool('listar_relatorios')).rejects.toThrow()
  await client.close()
})
