import type { CommentThread } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, listOf, problem } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import CommentsPanel from './comments-panel.tsx'

const path = '/api/usuarios/relatorio/7/comentarios'
let person = 100
beforeEach(() => {
  // Drafts stay in memory: each test has a person of its own.
  person += 1
  startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: person, tipo: 'USER' })
})
afterEach(() => vi.unstubAllGlobals())

const aThread = (fields: Partial<CommentThread> = {}): CommentThread => ({
  idComentario: 5,
  idConversa: null,
  autor: 'Bia Lima',
  proprio: false,
  texto: 'O custo subiu, @{12}',
  mencoes: [{ idUsuario: 12, nome: 'Ana Souza' }],
  criadoEm: '2026-03-10T17:05:00.000Z',
  editadoEm: null,
  excluido: false,
  respostas: 0,
  resolvidoEm: null,
  resolvidoPor: null,
  visto: {
    pagina: 'p1',
    tituloPagina: 'Geral',
    filtros: { operadora: 'CNU' },
    temFiltros: true,
    temSelecoes: false,
  },
  ...fields,
})

const screenFilters = { operadora: '', sexo: 'feminino' }
const open = (
  answers: Parameters<typeof answerWith>[0],
  props: Partial<ComponentProps<typeof CommentsPanel>> = {},
) => {
  const server = answerWith({ [`GET ${path}`]: () => listOf([aThread()]), ...answers })
  const report = {
    activePage: vi.fn(async () => ({ name: 'p1', title: 'Geral' })),
    capture: vi.fn(async () => ({
      pagina: 'p1',
      marcador: 'eyJ9',
      isTooLong: false,
      filtros: screenFilters,
    })),
    show: vi.fn(async () => undefined),
  }
  const [showAll, onShown] = [vi.fn(), vi.fn()]
  const element = (
    <CommentsPanel
      report={report}
      idRelatorio={7}
      isPaginated={false}
      hasSelections={false}
      page={undefined}
      idConversa={undefined}
      showAll={showAll}
      onShown={onShown}
      {...props}
    />
  )
  const rendered = render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { server, report, showAll, onShown, ...rendered }
}
const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Novo comentário' })
const queriesOf = ({ sent }: ReturnType<typeof answerWith>) =>
  sent.filter(({ method, url }) => method === 'GET' && url.startsWith(`${path}?`)).map(({ url }) => url)

test('the comments panel lists the open threads of the page on the screen, then those of all pages', async () => {
  const { server } = open({})
  const thread = within(await screen.findByRole('article'))
  expect(thread.getByText('@Ana Souza')).toBeDefined()
  expect(thread.getByText('Página “Geral”, com filtros')).toBeDefined()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Só os desta página do relatório' }))
  await userEvent.click(screen.getByText('Resolvidos'))
  await waitFor(() => expect(queriesOf(server).at(-1)).toContain('situacao=resolvidos'))
  const [first = '', ...more] = queriesOf(server)
  expect([first.includes('paginaRelatorio=p1'), first.includes('situacao=abertos')]).toEqual([true, true])
  expect(more.at(-1)).not.toContain('paginaRelatorio')
})

test('the comments panel writes a comment with a mention, and what the report shows', async () => {
  const { server } = open({
    [`GET ${path}/pessoas`]: () =>
      Response.json([
        { idUsuario: 3, nome: 'Rita Alves' },
        { idUsuario: 12, nome: 'Ana Souza' },
      ]),
    [`POST ${path}`]: () => Response.json(aThread(), { status: 201 }),
  })
  await userEvent.type(await field(), 'Veja @an')
  await userEvent.click(await screen.findByRole('option', { name: 'Ana Souza' }))
  expect((await field()).value).toBe('Veja @Ana Souza ')
  await userEvent.type(await field(), 'isto')
  await userEvent.click(screen.getByRole('button', { name: 'Comentar' }))
  await waitFor(async () => expect((await field()).value).toBe(''))
  expect(server.of('POST').map(({ body }) => body)).toEqual([
    {
      texto: 'Veja @{12} isto',
      estado: {
        pagina: 'p1',
        tituloPagina: 'Geral',
        marcador: 'eyJ9',
        filtros: screenFilters,
        temSelecoes: false,
      },
    },
  ])
})

test('the comments panel says that a comment keeps no selections when there are too many', async () => {
  const { report, server } = open({ [`POST ${path}`]: () => Response.json(aThread(), { status: 201 }) })
  report.capture.mockResolvedValue({
    pagina: 'p1',
    marcador: null as never,
    isTooLong: true,
    filtros: screenFilters,
  })
  await userEvent.type(await field(), 'Oi')
  await userEvent.click(screen.getByRole('button', { name: 'Comentar' }))
  await screen.findByText(/^Comentário publicado com a página e os filtros\. As seleções/)
  expect(server.of('POST')[0]?.body).toMatchObject({ estado: { pagina: 'p1', marcador: null } })
})

test('Enter takes the person who matches the typed name, and never one of the previous search', async () => {
  open({
    [`GET ${path}/pessoas`]: () =>
      Response.json([
        { idUsuario: 3, nome: 'Rita Alves' },
        { idUsuario: 12, nome: 'Ana Souza' },
      ]),
  })
  await userEvent.type(await field(), '@')
  await screen.findByRole('option', { name: 'Rita Alves' })
  await userEvent.type(await field(), 'souza{Enter}')
  expect((await field()).value).toBe('@Ana Souza ')
})

test('the comments panel keeps the text when the call fails, and when the panel is closed', async () => {
  const { unmount } = open({ [`POST ${path}`]: () => problem(429, 'Você escreveu muito. Aguarde.') })
  await userEvent.type(await field(), 'Um texto longo')
  await userEvent.click(screen.getByRole('button', { name: 'Comentar' }))
  await screen.findByText('Você escreveu muito. Aguarde.')
  expect((await field()).value).toBe('Um texto longo')
  unmount()
  open({})
  expect((await field()).value).toBe('Um texto longo')
})

test('the browser asks before the tab closes while a comment is not sent', async () => {
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  open({})
  const text = await field()
  expect(isAsked()).toBe(false)
  await userEvent.type(text, 'Por que subiu?')
  expect(isAsked()).toBe(true)
  await userEvent.clear(text)
  expect(isAsked()).toBe(false)
})

test('the comments panel shows the report as it was, or only its page when the filters are withheld', async () => {
  let isComplete = true
  const { report, onShown } = open({
    [`GET ${path}/5/estado`]: () =>
      Response.json(
        isComplete
          ? { pagina: 'p1', filtros: { operadora: 'CNU' }, marcador: 'eyJ8', completo: true }
          : { pagina: 'p1', filtros: {}, marcador: null, completo: false },
      ),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Ver como estava' }))
  await waitFor(() =>
    expect(onShown).toHaveBeenCalledWith('O relatório está como no comentário de Bia Lima.'),
  )
  isComplete = false
  await userEvent.click(screen.getByRole('button', { name: 'Ver como estava' }))
  await waitFor(() => expect(onShown).toHaveBeenCalledTimes(2))
  expect(report.show.mock.calls).toEqual([
    [{ pagina: 'p1', filtros: { operadora: 'CNU' }, marcador: 'eyJ8' }],
    [{ pagina: 'p1', filtros: screenFilters, marcador: null }],
  ])
})

test('the comments panel says why the report could not be shown as it was', async () => {
  open({ [`GET ${path}/5/estado`]: () => problem(403, 'Você não vê mais este relatório.') })
  await userEvent.click(await screen.findByRole('button', { name: 'Ver como estava' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Você não vê mais este relatório.')
})

test('a person replies, and resolves a thread', async () => {
  const { server } = open({
    [`POST ${path}`]: () => Response.json(aThread(), { status: 201 }),
    [`PUT ${path}/5/situacao`]: () => Response.json(aThread()),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Responder' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Sua resposta' }), 'Vi')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Sua resposta' })).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Resolver' }))
  await screen.findByText('Conversa resolvida.')
  expect(server.of('POST')[0]?.body).toEqual({ texto: 'Vi', idConversa: 5 })
  expect(server.of('PUT')[0]?.body).toEqual({ resolvido: true })
})

test('the comments panel offers changes to the writer, a deletion to an ADMIN, and nothing to others', async () => {
  const menu = { name: 'Ações do comentário de Bia Lima' }
  const { unmount } = open({})
  await screen.findByRole('article')
  expect(screen.queryByRole('button', menu)).toBeNull()
  unmount()
  startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: person, tipo: 'ADMIN' })
  const asAdmin = open({})
  await userEvent.click(await screen.findByRole('button', menu))
  await screen.findByRole('menuitem', { name: 'Excluir' })
  expect(screen.queryByRole('menuitem', { name: 'Editar' })).toBeNull()
  asAdmin.unmount()
  startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: person, tipo: 'USER' })
  const { server } = open({
    [`GET ${path}`]: () => listOf([aThread({ proprio: true })]),
    [`PUT ${path}/5`]: () => Response.json(aThread()),
    [`DELETE ${path}/5`]: () => new Response(null, { status: 204 }),
  })
  await userEvent.click(await screen.findByRole('button', menu))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Editar' }))
  const editor = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Editar o comentário' })
  expect(editor.value).toBe('O custo subiu, @Ana Souza')
  await userEvent.type(editor, '!')
  await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  await screen.findByText('Comentário salvo.')
  expect(server.of('PUT')[0]?.body).toEqual({ texto: 'O custo subiu, @{12}!' })
  await userEvent.click(screen.getByRole('button', menu))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Excluir' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Sim, excluir' }))
  await waitFor(() => expect(server.of('DELETE')).toHaveLength(1))
})

test('the comments panel opens the thread of a link with its replies, and leads back to the list', async () => {
  const { server, showAll } = open(
    {
      'POST /api/notificacoes/lidas': () => Response.json({ naoLidas: 0 }),
      [`GET ${path}/5`]: () => Response.json(aThread({ respostas: 1 })),
      [`GET ${path}/5/respostas`]: () =>
        Response.json([{ ...aThread({ idComentario: 6, texto: 'Vi' }), idConversa: 5 }]),
    },
    { idConversa: 5 },
  )
  const replies = await screen.findByRole('list', { name: 'Respostas' })
  expect(within(replies).getByText('Vi')).toBeDefined()
  expect(server.of('POST').map(({ url, body }) => [url, body])).toEqual([
    ['/api/notificacoes/lidas', { ids: [], idConversa: 5 }],
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Todas as conversas' }))
  expect(showAll).toHaveBeenCalledOnce()
})

test('a paginated report has no pages to choose and keeps no state', async () => {
  const { server, report } = open(
    {
      [`GET ${path}`]: () => listOf([]),
      [`POST ${path}`]: () => Response.json(aThread({ visto: null }), { status: 201 }),
    },
    { isPaginated: true },
  )
  await screen.findByText('Nenhuma conversa aberta neste relatório.')
  expect(screen.queryByRole('checkbox')).toBeNull()
  await userEvent.type(await field(), 'Oi')
  await userEvent.click(screen.getByRole('button', { name: 'Comentar' }))
  await screen.findByText('Comentário publicado.')
  expect(server.of('POST')[0]?.body).toEqual({ texto: 'Oi', estado: null })
  expect(report.capture).not.toHaveBeenCalled()
})
