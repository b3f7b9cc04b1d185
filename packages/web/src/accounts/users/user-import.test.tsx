import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { CsvDialog } from '../../ui/csv-import/csv-dialog.tsx'
import { UserImport } from './user-import.tsx'

afterEach(() => vi.unstubAllGlobals())

test('the page still offers the generated passwords when the response to an import is lost', async () => {
  const preview = {
    validas: 1,
    invalidas: 0,
    linhas: [{ linha: 1, nomeUsuario: 'Ana', emailUsuario: 'a@x.com', erros: {} }],
  }
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/previa')) return Response.json(preview)
    throw new TypeError('fetch failed')
  })
  const held = vi.fn()
  const imported = vi.fn()
  const { container } = render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <UserImport onClose={() => undefined} onImported={imported} onHold={held} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const input = container.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('no file input')
  await userEvent.upload(input, new File(['Ana;a@x.com'], 'usuarios.csv', { type: 'text/csv' }))
  await screen.findByText('Nenhuma falha')
  await userEvent.click(screen.getByRole('button', { name: 'Importar 1 usuário' }))
  expect(await screen.findByText('Não sabemos se a importação foi gravada')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Baixar senhas' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Fechar sem baixar' })).toBeDefined()
  expect(held).toHaveBeenLastCalledWith(true)
  expect(imported).toHaveBeenCalledOnce()
})

test('the user import imports once when the button is clicked twice at once', async () => {
  const linhas = [{ linha: 1, nomeUsuario: 'Ana', emailUsuario: 'a@x.com', erros: {} }]
  let imports = 0
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/previa')) return Response.json({ validas: 1, invalidas: 0, linhas })
    if (url.endsWith('/importacao')) imports += 1
    return Response.json({ cadastrados: 1 }, { status: 201 })
  })
  const { container } = render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <UserImport onClose={() => undefined} onImported={() => undefined} onHold={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const input = container.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('no file input')
  await userEvent.upload(input, new File(['Ana;a@x.com'], 'usuarios.csv', { type: 'text/csv' }))
  const button = await screen.findByRole('button', { name: 'Importar 1 usuário' })
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByRole('button', { name: 'Baixar senhas' })
  expect(imports).toBe(1)
})

test('the user import asks before the page is left during an import and until the passwords are downloaded', async () => {
  startSession(signedInUntil(Date.now() + 600_000))
  const linhas = [{ linha: 1, nomeUsuario: 'Ana', emailUsuario: 'a@x.com', erros: {} }]
  const answer = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/previa')) return Response.json({ validas: 1, invalidas: 0, linhas })
    return answer.promise
  })
  const router = createMemoryRouter(
    [
      {
        path: '/usuario',
        element: (
          <CsvDialog opened onClose={() => undefined} title="Importar usuários" lost="o resultado">
            {(onHold) => (
              <UserImport onClose={() => undefined} onImported={() => undefined} onHold={onHold} />
            )}
          </CsvDialog>
        ),
      },
      { path: '*', element: <h1>Outra</h1> },
    ],
    { initialEntries: ['/usuario'] },
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const asksBeforeUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('no file input')
  await userEvent.upload(input, new File(['Ana;a@x.com'], 'usuarios.csv', { type: 'text/csv' }))
  const button = await screen.findByRole('button', { name: 'Importar 1 usuário' })
  expect(asksBeforeUnload()).toBe(false)

  await userEvent.click(button)
  expect(asksBeforeUnload()).toBe(true)
  await act(() => router.navigate('/outra'))
  await userEvent.click(await screen.findByRole('button', { name: 'Continuar aqui' }))
  expect(router.state.location.pathname).toBe('/usuario')

  answer.resolve(Response.json({ cadastrados: 1 }, { status: 201 }))
  const download = await screen.findByRole('button', { name: 'Baixar senhas' })
  expect(asksBeforeUnload()).toBe(true)
  await userEvent.click(download)
  expect(asksBeforeUnload()).toBe(false)
  endSession('saiu')
})

test('the user import disables the import without a count when the file has errors', async () => {
  const linha = { nomeUsuario: 'Ana', emailUsuario: 'a@x.com' }
  vi.stubGlobal('fetch', async () =>
    Response.json({
      validas: 1,
      invalidas: 1,
      linhas: [
        { ...linha, linha: 1, erros: {} },
        { ...linha, linha: 2, erros: { emailUsuario: 'Repetido no arquivo.' } },
      ],
    }),
  )
  const { container } = render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <UserImport onClose={() => undefined} onImported={() => undefined} onHold={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const input = container.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('no file input')
  await userEvent.upload(input, new File(['Ana;a@x.com\nAna;a@x.com'], 'usuarios.csv', { type: 'text/csv' }))
  await screen.findByText('1 linha com falha')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Importar' }).disabled).toBe(true)
})

test('the user import sends invitations instead of generating passwords, also for a pasted list', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)))
    return url.endsWith('/previa')
      ? Response.json({
          validas: 1,
          invalidas: 0,
          linhas: [{ linha: 2, nomeUsuario: 'Ana', emailUsuario: 'a@x.com', erros: {} }],
        })
      : Response.json({ cadastrados: 1 }, { status: 201 })
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <UserImport onClose={() => undefined} onImported={() => undefined} onHold={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await userEvent.click(screen.getByText('Colar a lista'))
  await userEvent.type(screen.getByLabelText('Lista colada'), 'nome;e-mail;perfis\nAna;a@x.com;Diretoria')
  await userEvent.click(screen.getByRole('button', { name: 'Usar a lista colada' }))
  await userEvent.click(await screen.findByLabelText('Enviar convites por e-mail'))
  await screen.findByText('Pronta, com convite')
  expect(screen.queryByLabelText('Gerar senhas que faltam')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Importar 1 usuário' }))
  await screen.findByText(/Os convites estão na fila de envio/)
  expect(sent.at(-1)).toMatchObject({
    convidar: true,
    linhas: [
      { linha: 2, nomeUsuario: 'Ana', emailUsuario: 'a@x.com', senhaUsuario: '', perfis: 'Diretoria' },
    ],
  })
  expect(screen.queryByRole('button', { name: 'Baixar senhas' })).toBeNull()
})
