import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { UserImport } from './user-import.tsx'

afterEach(() => vi.unstubAllGlobals())

test('still offers the generated passwords when the response to an import is lost', async () => {
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

test('disables the import without a count when the file has errors', async () => {
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
