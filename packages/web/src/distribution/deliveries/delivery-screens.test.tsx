import type { Alert, Subscription } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { anAlert, someAlertOptions, someVisuals } from '../../../test/alerts.ts'
import { answerWith, listOf, problem } from '../../../test/answers.ts'
import { aSubscription, someOptions } from '../../../test/subscriptions.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { AlertPage } from '../alerts/alert-page.tsx'
import AlertPanel from '../alerts/alert-panel.tsx'
import { AlertsPage } from '../alerts/alerts-page.tsx'
import { AllAlertsPage } from '../alerts/all-alerts-page.tsx'
import { AllSubscriptionsPage } from '../subscriptions/pages/all-subscriptions-page.tsx'
import { SubscriptionPage } from '../subscriptions/pages/subscription-page.tsx'
import { SubscriptionsPage } from '../subscriptions/pages/subscriptions-page.tsx'
import SubscribePanel from '../subscriptions/subscribe/subscribe-panel.tsx'

beforeEach(() => startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: 1, tipo: 'ADMIN' }))
afterEach(() => vi.unstubAllGlobals())

type Capture = () => Promise<{ pagina: string; marcador: null; isTooLong: boolean; filtros: object }>
const capture: Capture = async () => ({ pagina: 'geral', marcador: null, isTooLong: false, filtros: {} })
const silent: Capture = () => Promise.reject(new Error('O relatório não respondeu.'))

interface Kind {
  kind: 'alert' | 'subscription'
  path: string
  /** Its name, those of its own list, and of its history. */
  name: string
  own: string
  history: string
  active: 'ativo' | 'ativa'
  one: Alert | Subscription
  ofOther: object
  answers: Record<string, () => Response>
  panel: (read: Capture, close: () => void) => ReactElement
  pages: { own: ReactElement; one: ReactElement; all: ReactElement; allPath: string; param: string }
  texts: { actions: string; missing: string; list: string; add: string; edit: string }
  /** A field of the form. */
  field: string
}

const dono = { idUsuario: 2, nomeUsuario: 'Bia Souza' }

const kinds: Kind[] = [
  {
    kind: 'alert',
    path: 'alertas',
    name: 'Custo da CNU',
    own: 'meus',
    history: 'avaliacoes',
    active: 'ativo',
    one: anAlert(),
    ofOther: { dono },
    answers: {
      'GET /api/usuarios/relatorio/7/alertas/opcoes': () => Response.json(someAlertOptions()),
      'POST /api/usuarios/relatorio/7/alertas/visuais': () => Response.json(someVisuals()),
    },
    panel: (read, close) => (
      <AlertPanel report={{ capture: read as never }} idRelatorio={7} visual={undefined} close={close} />
    ),
    pages: {
      own: <AlertsPage />,
      one: <AlertPage />,
      all: <AllAlertsPage />,
      allPath: '/alertas/todos',
      param: 'alerta',
    },
    texts: {
      actions: 'Ações do alerta Custo da CNU',
      missing: 'Alerta não encontrado',
      list: 'Seus alertas deste relatório',
      add: 'Novo alerta',
      edit: 'Editar alerta',
    },
    field: 'Nome do alerta',
  },
  {
    kind: 'subscription',
    path: 'assinaturas',
    name: 'Custos da semana',
    own: 'minhas',
    history: 'execucoes',
    active: 'ativa',
    one: aSubscription(),
    ofOther: { dono, mostraEscolha: false },
    answers: {
      'GET /api/usuarios/relatorio/7/assinaturas/opcoes': () => Response.json(someOptions()),
      'GET /api/usuarios/relatorio/7/visoes': () => Response.json([]),
      'GET /api/assinaturas/recebidas': () => Response.json([]),
    },
    panel: (read, close) => (
      <SubscribePanel
        report={{ capture: read as never, pageTitle: async () => 'Custos', pageVisuals: async () => [] }}
        idRelatorio={7}
        nomeRelatorio="Sinistralidade"
        paginated={undefined}
        close={close}
      />
    ),
    pages: {
      own: <SubscriptionsPage />,
      one: <SubscriptionPage />,
      all: <AllSubscriptionsPage />,
      allPath: '/assinaturas/todas',
      param: 'assinatura',
    },
    texts: {
      actions: 'Ações da assinatura Custos da semana',
      missing: 'Assinatura não encontrada',
      list: 'Suas assinaturas deste relatório',
      add: 'Nova assinatura',
      edit: 'Editar assinatura',
    },
    field: 'Assunto',
  },
]

const show = (element: ReactElement, path = '/', address = path) => {
  const elsewhere = { path: '*', element: <p>Outra página</p> }
  const router = createMemoryRouter([{ path, element }, elsewhere], { initialEntries: [address] })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return router
}

describe.each(kinds)('$kind', ({ kind, path, name, one, pages, texts, ...of }) => {
  /** Answers with these rows, as the server stores them. */
  const serve = (rows: object[], answers: Record<string, () => Response> = {}) => {
    const stored = [...rows]
    return answerWith({
      ...of.answers,
      [`GET /api/usuarios/relatorio/7/${path}`]: () => Response.json(stored),
      [`GET /api/${path}/${of.own}`]: () => Response.json(stored),
      [`GET /api/${path}`]: () => listOf(stored),
      [`GET /api/${path}/5`]: () => (stored[0] ? Response.json(stored[0]) : problem(404, 'Não encontrado.')),
      [`GET /api/${path}/5/${of.history}`]: () => listOf([]),
      [`PUT /api/${path}/5/${of.active}`]: () => Response.json(stored[0]),
      [`DELETE /api/${path}/5`]: () => {
        stored.pop()
        return new Response(null, { status: 204 })
      },
      ...answers,
    })
  }
  const choose = async (item: string) => {
    await userEvent.click(await screen.findByRole('button', { name: texts.actions }))
    await userEvent.click(await screen.findByRole('menuitem', { name: item }))
  }
  const items = async () => {
    await userEvent.click(await screen.findByRole('button', { name: texts.actions }))
    return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
  }
  const edited = () => screen.findByRole('dialog', { name: texts.edit })

  test(`${kind}: the panel lists the existing ones, and its form leads back to them`, async () => {
    serve([one])
    show(of.panel(capture, () => undefined))
    const list = await screen.findByRole('list', { name: texts.list })
    expect(within(list).getByText(name)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: texts.add }))
    await screen.findByLabelText(of.field)
    await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }))
    await screen.findByRole('list', { name: texts.list })
  })

  test(`${kind}: the panel begins with the form of the first one, and closes when it is left`, async () => {
    serve([])
    const close = vi.fn()
    show(of.panel(capture, close))
    await userEvent.click(await screen.findByRole('button', { name: 'Cancelar' }))
    expect(close).toHaveBeenCalledOnce()
  })

  test(`${kind}: a silent report prevents a new one, but neither the list nor a change`, async () => {
    let isSilent = true
    serve([one])
    show(
      of.panel(
        () => (isSilent ? silent() : capture()),
        () => undefined,
      ),
    )
    await userEvent.click(await screen.findByRole('button', { name: texts.add }))
    await screen.findByRole('alert')
    expect(screen.queryByLabelText(of.field)).toBeNull()
    isSilent = false
    await userEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }))
    await screen.findByLabelText(of.field)
  })

  test(`${kind}: the panel edits one of a silent report`, async () => {
    serve([one])
    show(of.panel(silent, () => undefined))
    await choose('Editar')
    expect(((await screen.findByLabelText(of.field)) as HTMLInputElement).value).toBe(name)
  })

  test(`${kind}: the panel deletes the last one after a question, and then offers the form`, async () => {
    const server = serve([one])
    show(of.panel(capture, () => undefined))
    await choose('Excluir')
    await userEvent.click(await screen.findByRole('button', { name: 'Sim, excluir' }))
    await waitFor(() => expect(server.of('DELETE')).toHaveLength(1))
    await userEvent.click(await screen.findByRole('button', { name: 'Fechar' }))
    await screen.findByLabelText(of.field)
  })

  test(`${kind}: an active one is paused from its row`, async () => {
    const server = serve([one])
    show(pages.own)
    await choose('Pausar')
    await waitFor(() => expect(server.of('PUT')).toHaveLength(1))
    expect(server.of('PUT')[0]?.body).toEqual({ [of.active]: false })
  })

  test(`${kind}: the row says why a pause is refused, and what keeps an active one from running`, async () => {
    const refused = { [`PUT /api/${path}/5/${of.active}`]: () => problem(403, 'Não é permitido.') }
    serve([{ ...one, impedimento: 'A conta não está ativa.' }], refused)
    show(pages.own)
    expect(await screen.findByText('A conta não está ativa.')).toBeDefined()
    await choose('Pausar')
    expect(await screen.findByText('Não é permitido.')).toBeDefined()
  })

  test(`${kind}: the page of one’s own edits it in a dialog`, async () => {
    serve([one])
    show(pages.own)
    await choose('Editar')
    expect((within(await edited()).getByLabelText(of.field) as HTMLInputElement).value).toBe(name)
  })

  test.each([
    ['whose report is gone', { relatorio: null }],
    ['of another person, with rows of theirs', of.ofOther],
  ])(`${kind}: one %s is not edited`, async (_, changes) => {
    serve([{ ...one, ...changes }])
    show(pages.one, `/${path}/:${pages.param}`, `/${path}/5`)
    expect(await items()).toEqual([expect.stringMatching(/^Ver /), 'Pausar', 'Excluir'])
  })

  test.each(['abc', '0', '-1', '1.5'])(
    `${kind}: the page says without a call that none has the address %s`,
    async (id) => {
      const server = serve([])
      show(pages.one, `/${path}/:${pages.param}`, `/${path}/${id}`)
      await screen.findByRole('heading', { name: texts.missing })
      expect(server.sent).toEqual([])
    },
  )

  test(`${kind}: the page says that one does not exist`, async () => {
    serve([], { [`GET /api/${path}/5`]: () => problem(404, 'Não encontrado.') })
    show(pages.one, `/${path}/:${pages.param}`, `/${path}/5`)
    await screen.findByRole('heading', { name: texts.missing })
  })

  test.each([
    ['one’s own', {}, () => `/${path}`],
    ['another person’s', of.ofOther, () => pages.allPath],
  ])(`${kind}: the page leads to the list of %s after the deletion`, async (_, changes, list) => {
    serve([{ ...one, ...changes }])
    const router = show(pages.one, `/${path}/:${pages.param}`, `/${path}/5`)
    await choose('Excluir')
    await userEvent.click(await screen.findByRole('button', { name: 'Sim, excluir' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(list()))
  })

  test(`${kind}: an ADMIN deletes one from the list of all`, async () => {
    const server = serve([one])
    show(pages.all)
    await userEvent.click(await screen.findByRole('button', { name: `Excluir ${name}` }))
    await userEvent.click(await screen.findByRole('button', { name: 'Sim, excluir' }))
    await waitFor(() => expect(server.of('DELETE')).toHaveLength(1))
  })
})
