import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../test/use-test-app.ts'
import { createUser } from '../../test/users.ts'
import { plainBrand } from '../brand/brand.ts'
import { errorHandler } from './error-handler.ts'
import { linkPaths } from './link-paths.ts'
import { portalPages } from './portal-pages.ts'
import { sessionGuard } from './session-guard.ts'

const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '120' }, { resets: false })

describe('the guard', () => {
  test('refuses to start while a route states no permission, and names the route', async () => {
    const server = Fastify()
    await server.register(sessionGuard, {
      tokenKeys: [{ id: 'k', key: 'x'.repeat(43) }],
      callsPerMinute: 600,
      countCall: () => ({ current: 1, ttl: 60_000 }),
      callsPerPerson: 1_200,
      countPersonCall: () => ({ current: 1, ttl: 60_000 }),
      findCaller: async () => undefined,
      findKiosk: async () => undefined,
    })
    server.get('/aberta', { config: { permission: 'public' } }, async () => 'ok')
    server.get('/esquecida', async () => 'ok')
    await expect(server.ready()).rejects.toThrow(/GET \/esquecida/)
  })
})

describe('health', () => {
  test('GET /healthz and GET /readyz answer JSON without a session', async () => {
    expect(await app.anonymous.get('!/healthz')).toMatchObject({ status: 200, body: { situacao: 'ativo' } })
    expect(await app.anonymous.get('!/readyz')).toMatchObject({
      status: 200,
      body: { situacao: 'pronto', banco: true },
    })
  })
})

describe('GET /openapi.json', () => {
  test('covers every call with its answers and matches the snapshot', async () => {
    const { status, body } = await app.anonymous.get('/openapi.json')
    expect(status).toBe(200)
    const calls = Object.entries(
      body.paths as Record<string, Record<string, { responses: object; security?: [] }>>,
    )
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { responses, security }]) => {
          const access = security?.length === 0 ? 'public' : 'bearer'
          return `${method.toUpperCase()} ${path} ${access} → ${Object.keys(responses).join(', ')}`
        }),
      )
      .sort()
    expect(calls).toMatchInlineSnapshot(`
      [
        "DELETE /api/anexos/{id} bearer → 204, default",
        "DELETE /api/conta/sessoes bearer → 200, default",
        "DELETE /api/conta/sessoes/{idSessao} bearer → 204, default",
        "DELETE /api/perfis/{id} bearer → 204, default",
        "DELETE /api/prontuarios/{id} bearer → 204, default",
        "DELETE /api/publicacoes/relatorios/{reportId}/agenda bearer → 204, default",
        "DELETE /api/usuarios/capacidade/{id} bearer → 204, default",
        "DELETE /api/usuarios/capacidade/{id}/autorizados/perfis/{idPerfil} bearer → 204, default",
        "DELETE /api/usuarios/capacidade/{id}/autorizados/pessoas/{idUsuario} bearer → 204, default",
        "DELETE /api/usuarios/favoritos/{id} bearer → 204, default",
        "DELETE /api/usuarios/powerbi/{id} bearer → 204, default",
        "DELETE /api/usuarios/relatorio-usuario/{idUsuario} bearer → 204, default",
        "DELETE /api/usuarios/relatorio/{id} bearer → 204, default",
        "DELETE /api/usuarios/relatorio/{id}/dados/autorizados/{idUsuario} bearer → 204, default",
        "DELETE /api/usuarios/relatorio/{id}/exportacao/{idExportacao} bearer → 204, default",
        "DELETE /api/usuarios/relatorio/{id}/logo bearer → 204, default",
        "DELETE /api/usuarios/relatorio/{id}/visoes/{idVisao} bearer → 204, default",
        "DELETE /api/usuarios/telao/{id} bearer → 204, default",
        "DELETE /api/usuarios/workspace/{id} bearer → 204, default",
        "DELETE /api/usuarios/{id} bearer → 204, default",
        "GET /api/anexos bearer → 200, default",
        "GET /api/anexos/{id}/arquivo bearer → 200, default",
        "GET /api/auditoria bearer → 200, default",
        "GET /api/auditoria.csv bearer → 200, default",
        "GET /api/beneficiarios bearer → 200, default",
        "GET /api/beneficiarios/{id} bearer → 200, default",
        "GET /api/configuracao/aparencia bearer → 200, default",
        "GET /api/configuracao/seguranca bearer → 200, default",
        "GET /api/conta/confirmacao bearer → 200, default",
        "GET /api/conta/segundo-fator bearer → 200, default",
        "GET /api/conta/sessoes bearer → 200, default",
        "GET /api/grupo-permissao bearer → 200, default",
        "GET /api/login/usuario-atividade bearer → 200, default",
        "GET /api/notificacoes bearer → 200, default",
        "GET /api/notificacoes/resumo bearer → 200, default",
        "GET /api/paginas bearer → 200, default",
        "GET /api/paginas/{rota} bearer → 200, default",
        "GET /api/perfis bearer → 200, default",
        "GET /api/perfis/{id} bearer → 200, default",
        "GET /api/perfis/{id}/candidatos bearer → 200, default",
        "GET /api/perfis/{id}/membros bearer → 200, default",
        "GET /api/perfis/{id}/relatorios bearer → 200, default",
        "GET /api/perfis/{id}/relatorios/{idGrupoRelatorio} bearer → 200, default",
        "GET /api/portal public → 200, default",
        "GET /api/portal/logo/{marca} public → 200, default",
        "GET /api/prontuarios bearer → 200, default",
        "GET /api/prontuarios/{id} bearer → 200, default",
        "GET /api/prontuarios/{id}/pdf bearer → 200, default",
        "GET /api/prontuarios/{id}/versoes bearer → 200, default",
        "GET /api/protecao-de-dados/beneficiarios/{id}/acessos bearer → 200, default",
        "GET /api/protecao-de-dados/beneficiarios/{id}/acessos.csv bearer → 200, default",
        "GET /api/protecao-de-dados/beneficiarios/{id}/exportacao bearer → 200, default",
        "GET /api/protecao-de-dados/beneficiarios/{id}/exportacao.pdf bearer → 200, default",
        "GET /api/protecao-de-dados/incidentes bearer → 200, default",
        "GET /api/protecao-de-dados/incidentes/{id} bearer → 200, default",
        "GET /api/protecao-de-dados/retencao bearer → 200, default",
        "GET /api/publicacoes/relatorios bearer → 200, default",
        "GET /api/publicacoes/relatorios/{reportId}/agenda bearer → 200, default",
        "GET /api/publicacoes/relatorios/{reportId}/tabelas bearer → 200, default",
        "GET /api/publicacoes/relatorios/{reportId}/versoes bearer → 200, default",
        "GET /api/publicacoes/workspaces bearer → 200, default",
        "GET /api/responsavel bearer → 200, default",
        "GET /api/sistema/ambiente bearer → 200, default",
        "GET /api/sistema/atencao bearer → 200, default",
        "GET /api/sistema/primeiros-passos bearer → 200, default",
        "GET /api/sistema/situacao bearer → 200, default",
        "GET /api/telao/rotacao bearer → 200, default",
        "GET /api/uso/detalhes bearer → 200, default",
        "GET /api/uso/detalhes.csv bearer → 200, default",
        "GET /api/uso/lista bearer → 200, default",
        "GET /api/uso/lista.csv bearer → 200, default",
        "GET /api/uso/meu bearer → 200, default",
        "GET /api/uso/meu.csv bearer → 200, default",
        "GET /api/uso/nunca-entraram bearer → 200, default",
        "GET /api/uso/nunca-entraram.csv bearer → 200, default",
        "GET /api/uso/resumo bearer → 200, default",
        "GET /api/uso/resumo.csv bearer → 200, default",
        "GET /api/uso/sem-uso bearer → 200, default",
        "GET /api/uso/sem-uso.csv bearer → 200, default",
        "GET /api/usuarios bearer → 200, default",
        "GET /api/usuarios.csv bearer → 200, default",
        "GET /api/usuarios/capacidade bearer → 200, default",
        "GET /api/usuarios/capacidade.csv bearer → 200, default",
        "GET /api/usuarios/capacidade/{id} bearer → 200, default",
        "GET /api/usuarios/capacidade/{id}/autorizados bearer → 200, default",
        "GET /api/usuarios/capacidade/{id}/estado bearer → 200, default",
        "GET /api/usuarios/capacidade/{id}/horas bearer → 200, default",
        "GET /api/usuarios/capacidade/{id}/horas.csv bearer → 200, default",
        "GET /api/usuarios/capacidade/{id}/tamanhos bearer → 200, default",
        "GET /api/usuarios/eventos bearer → 200, default",
        "GET /api/usuarios/favoritos bearer → 200, default",
        "GET /api/usuarios/menus bearer → 200, default",
        "GET /api/usuarios/menus/busca bearer → 200, default",
        "GET /api/usuarios/menus/{idGrupoRelatorio} bearer → 200, default",
        "GET /api/usuarios/powerbi bearer → 200, default",
        "GET /api/usuarios/powerbi.csv bearer → 200, default",
        "GET /api/usuarios/powerbi/{id} bearer → 200, default",
        "GET /api/usuarios/powerbi/{id}/dependentes bearer → 200, default",
        "GET /api/usuarios/powerbi/{id}/grupos bearer → 200, default",
        "GET /api/usuarios/powerbi/{id}/grupos/{idGrupo}/relatorios bearer → 200, default",
        "GET /api/usuarios/relatorio bearer → 200, default",
        "GET /api/usuarios/relatorio-usuario bearer → 200, default",
        "GET /api/usuarios/relatorio-usuario/{idUsuario} bearer → 200, default",
        "GET /api/usuarios/relatorio-usuario/{idUsuario}/{idGrupoRelatorio} bearer → 200, default",
        "GET /api/usuarios/relatorio.csv bearer → 200, default",
        "GET /api/usuarios/relatorio/operadoras bearer → 200, default",
        "GET /api/usuarios/relatorio/{id} bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/acesso bearer → 204, default",
        "GET /api/usuarios/relatorio/{id}/dados bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/dados/agenda bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/dados/atualizacoes bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/dados/autorizados bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/desempenho bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/exportacao/{idExportacao} bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/exportacao/{idExportacao}/arquivo bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/logo bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/papeis bearer → 200, default",
        "GET /api/usuarios/relatorio/{id}/visoes bearer → 200, default",
        "GET /api/usuarios/sessao bearer → 200, default",
        "GET /api/usuarios/telao bearer → 200, default",
        "GET /api/usuarios/telao/relatorio/{idRelatorio}/paginas bearer → 200, default",
        "GET /api/usuarios/telao/{id} bearer → 200, default",
        "GET /api/usuarios/workspace bearer → 200, default",
        "GET /api/usuarios/workspace.csv bearer → 200, default",
        "GET /api/usuarios/workspace/{id} bearer → 200, default",
        "GET /api/usuarios/workspace/{id}/dependentes bearer → 200, default",
        "GET /api/usuarios/{idUsuario}/acesso/{idRelatorio} bearer → 200, default",
        "GET /api/usuarios/{idUsuario}/menus bearer → 200, default",
        "GET /api/usuarios/{idUsuario}/menus/{idGrupoRelatorio} bearer → 200, default",
        "GET /api/usuarios/{id} bearer → 200, default",
        "POST /api/anexos bearer → 201, default",
        "POST /api/beneficiarios bearer → 201, default",
        "POST /api/beneficiarios/busca bearer → 200, default",
        "POST /api/beneficiarios/importacao bearer → 201, default",
        "POST /api/beneficiarios/importacao/previa bearer → 200, default",
        "POST /api/conta/confirmacao bearer → 204, default",
        "POST /api/conta/segundo-fator bearer → 200, default",
        "POST /api/conta/segundo-fator/codigos bearer → 200, default",
        "POST /api/conta/segundo-fator/confirmar bearer → 200, default",
        "POST /api/conta/segundo-fator/desativar bearer → 204, default",
        "POST /api/faleconosco/ public → 202, default",
        "POST /api/login/RecoveryPassword public → 204, default",
        "POST /api/login/confirmar-email public → 200, default",
        "POST /api/login/oidc public → 200, default",
        "POST /api/login/oidc/inicio public → 200, default",
        "POST /api/login/recuperar-senha public → 202, default",
        "POST /api/login/recusar-cadastro public → 204, default",
        "POST /api/login/redefinir-senha public → 204, default",
        "POST /api/login/remover-segundo-fator public → 204, default",
        "POST /api/login/verificar-link public → 200, default",
        "POST /api/notificacoes/lidas bearer → 200, default",
        "POST /api/perfis bearer → 201, default",
        "POST /api/perfis/{id}/candidatos/conferir bearer → 200, default",
        "POST /api/prontuarios bearer → 201, default",
        "POST /api/prontuarios/{id}/impressao bearer → 204, default",
        "POST /api/protecao-de-dados/incidentes bearer → 201, default",
        "POST /api/publicacoes bearer → 201, default",
        "POST /api/publicacoes/pastas bearer → 201, default",
        "POST /api/publicacoes/pastas/{rascunho} bearer → 200, default",
        "POST /api/publicacoes/pastas/{rascunho}/arquivos bearer → 201, default",
        "POST /api/publicacoes/pastas/{rascunho}/conferencia bearer → 200, default",
        "POST /api/publicacoes/relatorios/{reportId}/agenda/execucao bearer → 200, default",
        "POST /api/publicacoes/relatorios/{reportId}/dados bearer → 200, default",
        "POST /api/publicacoes/relatorios/{reportId}/dados/conferencia bearer → 200, default",
        "POST /api/publicacoes/relatorios/{reportId}/versoes/{numero}/restauracao bearer → 200, default",
        "POST /api/publicacoes/{rascunho} bearer → 200, default",
        "POST /api/publicacoes/{rascunho}/conferencia bearer → 200, default",
        "POST /api/publicacoes/{rascunho}/leitura bearer → 200, default",
        "POST /api/publicacoes/{rascunho}/previa bearer → 200, default",
        "POST /api/responsavel bearer → 201, default",
        "POST /api/sistema/ambiente/producao bearer → 200, default",
        "POST /api/sistema/teste-email bearer → 200, default",
        "POST /api/telao/codigo public → 201, default",
        "POST /api/telao/espera public → 200, default",
        "POST /api/telao/paginas/{id}/embed bearer → 200, default",
        "POST /api/usuarios bearer → 201, default",
        "POST /api/usuarios/authorizer public → 200, default",
        "POST /api/usuarios/capacidade bearer → 201, default",
        "POST /api/usuarios/capacidade/{id}/iniciar bearer → 200, default",
        "POST /api/usuarios/capacidade/{id}/pausar bearer → 200, default",
        "POST /api/usuarios/capacidade/{id}/redimensionar bearer → 200, default",
        "POST /api/usuarios/convites bearer → 202, default",
        "POST /api/usuarios/importacao bearer → 201, default",
        "POST /api/usuarios/importacao/previa bearer → 200, default",
        "POST /api/usuarios/powerbi bearer → 201, default",
        "POST /api/usuarios/powerbi/{id}/testar bearer → 200, default",
        "POST /api/usuarios/relatorio bearer → 201, default",
        "POST /api/usuarios/relatorio-usuario bearer → 200, 201, default",
        "POST /api/usuarios/relatorio/embed bearer → 200, default",
        "POST /api/usuarios/relatorio/sem-papeis public → 200, default",
        "POST /api/usuarios/relatorio/{id}/dados/atualizacoes bearer → 204, default",
        "POST /api/usuarios/relatorio/{id}/exportacao bearer → 201, default",
        "POST /api/usuarios/relatorio/{id}/uso bearer → 204, default",
        "POST /api/usuarios/relatorio/{id}/visoes bearer → 201, default",
        "POST /api/usuarios/relatorio/{id}/visualizacao bearer → 204, default",
        "POST /api/usuarios/sair bearer → 204, default",
        "POST /api/usuarios/telao bearer → 201, default",
        "POST /api/usuarios/telao/{id}/conectar bearer → 200, default",
        "POST /api/usuarios/telao/{id}/conferir bearer → 200, default",
        "POST /api/usuarios/telao/{id}/desconectar bearer → 200, default",
        "POST /api/usuarios/workspace bearer → 201, default",
        "POST /api/usuarios/workspace/{id}/relatorios bearer → 201, default",
        "POST /api/usuarios/{idUsuario}/ver-como bearer → 200, default",
        "POST /api/usuarios/{id}/aprovar bearer → 204, default",
        "POST /api/usuarios/{id}/convidar bearer → 202, default",
        "POST /api/usuarios/{id}/provedor/desligar bearer → 204, default",
        "POST /api/usuarios/{id}/recusar bearer → 204, default",
        "POST /api/usuarios/{id}/segundo-fator/redefinir bearer → 204, default",
        "PUT /api/beneficiarios/{id} bearer → 200, default",
        "PUT /api/configuracao/aparencia bearer → 200, default",
        "PUT /api/configuracao/seguranca bearer → 200, default",
        "PUT /api/conta bearer → 200, default",
        "PUT /api/paginas/{rota} bearer → 200, default",
        "PUT /api/perfis/{id} bearer → 200, default",
        "PUT /api/perfis/{id}/membros bearer → 200, default",
        "PUT /api/perfis/{id}/relatorios bearer → 200, default",
        "PUT /api/prontuarios/{id} bearer → 200, default",
        "PUT /api/protecao-de-dados/incidentes/{id} bearer → 200, default",
        "PUT /api/publicacoes/relatorios/{reportId}/agenda bearer → 200, default",
        "PUT /api/usuario/mudarsenha/{idUsuario} bearer → 204, default",
        "PUT /api/usuarios/capacidade/{id} bearer → 200, default",
        "PUT /api/usuarios/capacidade/{id}/autorizados/perfis/{idPerfil} bearer → 204, default",
        "PUT /api/usuarios/capacidade/{id}/autorizados/pessoas/{idUsuario} bearer → 204, default",
        "PUT /api/usuarios/favoritos bearer → 200, default",
        "PUT /api/usuarios/favoritos/{id} bearer → 200, default",
        "PUT /api/usuarios/powerbi/{id} bearer → 200, default",
        "PUT /api/usuarios/relatorio-usuario/{idUsuario} bearer → 200, default",
        "PUT /api/usuarios/relatorio/{id} bearer → 200, default",
        "PUT /api/usuarios/relatorio/{id}/dados/autorizados/{idUsuario} bearer → 204, default",
        "PUT /api/usuarios/relatorio/{id}/logo bearer → 200, default",
        "PUT /api/usuarios/relatorio/{id}/visoes/{idVisao} bearer → 200, default",
        "PUT /api/usuarios/telao/{id} bearer → 200, default",
        "PUT /api/usuarios/workspace/{id} bearer → 200, default",
        "PUT /api/usuarios/{id} bearer → 200, default",
      ]
    `)
    expect(body).toMatchSnapshot()
  })

  test('GET /api/docs loads only its own files', async () => {
    const { status, headers, body } = await app.anonymous.get('!/api/docs')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/)
    const files = [...String(body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '')
    expect(files.length).toBeGreaterThan(3)
    for (const file of files)
      expect((await app.anonymous.get(`!${new URL(file, 'http://x/api/docs').pathname}`)).status).toBe(200)
  })
})

describe('hostile addresses', () => {
  test.each([
    '!//api/usuarios/menus',
    '!/api//usuarios/menus',
    '!/API/usuarios/menus',
    '!/api/usuarios/menus/',
    '!/api/usuarios/%6denus%2f',
    '!/api/usuarios/sessao/../menus',
    '!/api/usuarios;x/menus',
    '!/api/%2e%2e/api/usuarios/menus',
    '!/%61pi/usuarios/menus',
  ])('%s gives no access without a session', async (url) => {
    const { status, body } = await app.anonymous.get(url)
    expect([401, 404]).toContain(status)
    expect(body.codigo).toMatch(/^(sessao_ausente|nao_encontrado)$/)
  })
})

describe('values that no database holds', () => {
  test.each(['0', '-1', '1e0', '0x1', '%201', '2147483648', '99999999999'])(
    'answers 404 for id %s',
    async (id) => {
      const { post } = await app.as(await createUser(app))
      const answer = await post(`/usuarios/relatorio/${id}/visualizacao`, {
        carregadoMs: 1,
        renderizadoMs: 1,
      })
      expect([answer.status, answer.body.codigo]).toEqual([404, 'nao_encontrado'])
    },
  )

  test('answers 422 at the field of a name with a lone surrogate', async () => {
    const { post } = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { status, body } = await post('/responsavel', '{"nomeResponsavel":"Maria \\ud800"}')
    expect([status, body.campos]).toEqual([
      422,
      { nomeResponsavel: 'Retire os caracteres que não podem ser gravados.' },
    ])
  })

  test('answers 422 to a name with a NUL', async () => {
    const body = { username: 'ana\0@demo.local', password: 'x' }
    expect((await app.anonymous.post('/usuarios/authorizer', body)).status).toBe(422)
  })
})

describe('limits', () => {
  test('too many calls of one session answer 429 with Retry-After; another session is unaffected', async () => {
    const busy = await app.as(await createUser(app))
    const calm = await app.as(await createUser(app))
    const answers = []
    for (let i = 0; i < 121; i += 1) answers.push(await busy.get('/usuarios/sessao'))
    const last = answers.at(-1)
    expect(answers.slice(0, 120).every(({ status }) => status === 200)).toBe(true)
    expect([last?.status, last?.body.codigo]).toEqual([429, 'muitas_tentativas'])
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await calm.get('/usuarios/sessao')).status).toBe(200)
  })

  test('invalid tokens and other spellings of the address do not multiply the allowance', async () => {
    const statuses = []
    for (let i = 0; i < 130; i += 1) {
      const headers = { authorization: `Bearer lixo${i}` }
      statuses.push((await app.anonymous.get(i % 2 ? '/portal' : '!/%61pi/portal', headers)).status)
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(120)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the portal pages', () => {
  test('carry a strict policy with a fresh nonce, for every address outside the API', async () => {
    const root = await mkdtemp(join(tmpdir(), 'bi-manager-pages-'))
    await mkdir(join(root, 'assets'))
    await writeFile(
      join(root, 'index.html'),
      '<script nonce="__CSP_NONCE__"></script><meta content="__CSP_NONCE__">',
    )
    await writeFile(join(root, 'assets', 'app-1.js'), 'x')
    const server = Fastify()
    await server.register(errorHandler)
    await server.register(portalPages, {
      root,
      readBrand: async () => plainBrand,
      frameOrigins: ['https://app.powerbi.com', 'http://localhost:3001'],
    })
    const pages = [await server.inject('/'), await server.inject('/relatorio-embed/a/b/c/d')]
    const nonces = pages.map(({ statusCode, body, headers }) => {
      expect(statusCode).toBe(200)
      const [, nonce = ''] = /nonce="([^"]+)"/.exec(body) ?? []
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'`)
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`)
      expect(policy).toContain('frame-src https://app.powerbi.com http://localhost:3001')
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(body).not.toContain('__CSP_NONCE__')
      expect(headers['cache-control']).toBe('no-store')
      return nonce
    })
    expect(new Set(nonces).size).toBe(2)
    for (const path of Object.values(linkPaths)) {
      const link = `${path}?token=x`
      expect((await server.inject(link)).headers['referrer-policy']).toBe('no-referrer')
    }
    expect((await server.inject('/assets/app-1.js')).headers['cache-control']).toMatch(/immutable/)
    for (const gone of [
      '/assets/gone.js',
      '/.env',
      '/recovery-password.bak',
      '/convite.backup',
      '/index.html.old',
    ]) {
      expect((await server.inject(gone)).statusCode).toBe(404)
    }
    const beyond = await server.inject({ url: '/assets/app-1.js', headers: { range: 'bytes=99999-' } })
    expect(beyond.statusCode).toBeLessThan(500)
    expect((await server.inject('/assets/../../package.json')).statusCode).toBeLessThan(500)
    expect((await server.inject('/api/nada')).statusCode).toBe(404)
    await server.close()
  })
})
