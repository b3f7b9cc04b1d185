import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type SetupStepName, setupSteps } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import shared from '../../ui/shared.module.css'
import { SetupChecklist } from './setup-checklist.tsx'

let done: SetupStepName[]
/** Steps that a publication does too. */
let published: SetupStepName[]
let server: Server
beforeAll(async () => {
  server = createServer((_, response) => {
    const steps = setupSteps.map((passo) => ({
      passo,
      feito: done.includes(passo),
      porPublicacao: published.includes(passo),
    }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(steps))
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
})
afterAll(() => server.close())
beforeEach(() => {
  localStorage.clear()
  published = []
})

const open = () => {
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://localhost:${(server.address() as AddressInfo).port}/`)
  startSession({ ...signedInUntil(Date.now() + 60_000), usuario_id: 1, pendencia: null })
  const client = new QueryClient()
  const shown = render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <SetupChecklist />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...shown, client }
}

test('the setup checklist shows each step with its state, and a button where it is not done', async () => {
  done = ['senha', 'conexao']
  open()
  await screen.findByText('2 de 10 feitos')
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(steps[0]).toBe('Trocar a sua senha, feito')
  expect(steps[3]).toContain('Testar a conexão, por fazer')
  // The ticks have the colour of the brand.
  const ticks = screen.getAllByRole('listitem').map((step) => step.querySelector('svg')?.classList)
  expect(ticks[0]?.contains(shared.accent ?? '-')).toBe(true)
  expect(ticks[3]?.contains(shared.accent ?? '-')).toBe(false)
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toHaveLength(9)
  expect(links).toEqual(expect.arrayContaining(['/cadastrar-usuario', '/usuario#convidar']))
  expect(links.slice(0, 2)).toEqual(['/meu-perfil', '/powerbi'])
})

test('the setup checklist leads to the publication first where it does the step', async () => {
  done = []
  published = ['workspace', 'relatorio']
  open()
  await screen.findByText('0 de 10 feitos')
  const step = screen.getByText('Cadastrar um relatório').closest('li')
  const links = [...(step?.querySelectorAll('a') ?? [])]
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/publicar',
    '/RegisterworkspaceRelatorios',
  ])
  expect(step?.textContent).toContain('Publique no navegador')
  expect(screen.getByText('Cadastrar um workspace').closest('li')?.textContent).toContain('nasce com')
})

test('the setup checklist disappears when every step is done', async () => {
  done = [...setupSteps]
  const { client, container } = open()
  await waitFor(() => expect(client.getQueryData(['primeiros-passos'])).toHaveLength(10))
  expect(container.querySelector('section')).toBeNull()
})

test('the setup checklist stays folded in this browser', async () => {
  done = []
  const { unmount } = open()
  await screen.findByText('0 de 10 feitos')
  await userEvent.click(screen.getByText('Primeiros passos'))
  await waitFor(() => expect(localStorage.getItem('bi-manager.sessao.primeiros-passos-recolhidos')).toBe('1'))
  unmount()
  open()
  await screen.findByText('0 de 10 feitos')
  expect(document.querySelector('details')?.open).toBe(false)
})
