import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Appearance, nearestPassing } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { AppearancePage } from './appearance-page.tsx'

let saved: Appearance
let received: unknown[]
/** Resolves before the server answers a save. */
let mayAnswer: Promise<void>
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', async () => {
      if (request.method === 'PUT') {
        const { imagem, ...texts } = JSON.parse(text)
        received.push([request.headers['if-match'], JSON.parse(text)])
        saved = { ...saved, ...texts, ...(imagem === null ? { logo: null } : {}), versao: saved.versao + 1 }
      }
      if (request.method === 'PUT') await mayAnswer
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(saved))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
})
afterAll(() => server.close())
beforeEach(() => {
  received = []
  mayAnswer = Promise.resolve()
  saved = { nome: null, cor: null, logo: '0123456789abcdef', versao: 3 }
})

const open = async () => {
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://localhost:${(server.address() as AddressInfo).port}/aparencia`)
  startSession({ ...signedInUntil(Date.now() + 60_000), usuario_id: 1, pendencia: null })
  const router = createMemoryRouter([{ path: '/aparencia', Component: AppearancePage }], {
    initialEntries: ['/aparencia'],
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByLabelText('Nome da empresa')
  return userEvent.setup()
}

const colorField = () => screen.getByRole('textbox', { name: 'Cor' })
const previews = () =>
  [...screen.getByRole('region', { name: 'Prévia' }).querySelectorAll('figure')].map(
    ({ style, textContent }) => ({
      color: style.getPropertyValue('--look-color'),
      text: textContent,
    }),
  )

test('the appearance page shows name and colour in both looks while they are typed, and saves them', async () => {
  const user = await open()
  await user.type(screen.getByLabelText('Nome da empresa'), 'Rede Horizonte')
  await user.type(colorField(), '#7A1F5C')
  expect(previews()).toEqual([
    { color: '#7a1f5c', text: expect.stringContaining('ClaroRede Horizonte') },
    { color: '#7a1f5c', text: expect.stringContaining('EscuroRede Horizonte') },
  ])
  await user.click(screen.getByRole('button', { name: 'Gravar' }))
  await screen.findByText('Aparência gravada!')
  expect(received).toEqual([['"3"', { nome: 'Rede Horizonte', cor: '#7A1F5C' }]])
})

test('the appearance page refuses a colour without enough contrast, says its ratio, and takes the one it offers', async () => {
  const user = await open()
  await user.type(colorField(), '#ffcc00')
  const nearest = nearestPassing('#ffcc00')
  await screen.findByText(new RegExp(`contraste de 1,5:1; o mínimo é 4,5:1\\..*que passa é ${nearest}`))
  expect(screen.getByRole('button', { name: 'Gravar' })).toHaveProperty('disabled', true)
  const checks = within(screen.getByRole('list', { name: 'Contraste da cor' }))
  expect(checks.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Texto branco sobre a cor1,5:1',
    'A cor sobre o fundo claro1,4:1',
    expect.stringMatching(/^O tom claro da cor sobre o fundo escuro\d/),
  ])
  expect(checks.getAllByLabelText('Não passa')).toHaveLength(2)

  await user.click(screen.getByRole('button', { name: `Usar ${nearest}` }))
  expect(colorField()).toHaveProperty('value', nearest)
  expect(checks.queryAllByLabelText('Não passa')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Gravar' }))
  await waitFor(() => expect(received).toEqual([['"3"', { nome: '', cor: nearest }]]))
})

test('the appearance page removes the logo with the next save', async () => {
  const user = await open()
  const logo = screen.getByRole('img', { name: 'Logo escolhido' })
  expect(logo.getAttribute('src')).toBe('/api/portal/logo/0123456789abcdef')
  await user.click(screen.getByRole('button', { name: 'Remover logo' }))
  expect(screen.queryByRole('img', { name: 'Logo escolhido' })).toBe(null)
  await user.click(screen.getByRole('button', { name: 'Gravar' }))
  await waitFor(() => expect(received).toEqual([['"3"', { nome: '', cor: '', imagem: null }]]))
})

test('the appearance page refuses an SVG before it is read', async () => {
  const user = await open()
  const input = document.querySelector('input[type=file]')
  if (!(input instanceof HTMLInputElement)) throw new Error('there is no field for a file')
  await userEvent
    .setup({ applyAccept: false })
    .upload(input, new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' }))
  await screen.findByText('Envie uma imagem PNG, JPEG ou WebP.')
  await user.type(screen.getByLabelText('Nome da empresa'), 'Rede')
  await user.click(screen.getByRole('button', { name: 'Gravar' }))
  await waitFor(() => expect(received).toEqual([['"3"', { nome: 'Rede', cor: '' }]]))
})

test('the appearance page keeps what is typed during a save, and sends it with the next one', async () => {
  const user = await open()
  let answer = () => {}
  mayAnswer = new Promise((resolve) => {
    answer = resolve
  })
  const name = screen.getByLabelText('Nome da empresa')
  await user.type(name, 'Rede')
  await user.click(screen.getByRole('button', { name: 'Gravar' }))
  await waitFor(() => expect(received).toHaveLength(1))
  await user.type(name, ' Horizonte')
  await user.type(colorField(), '#7a1f5c')
  expect(screen.getByRole('button', { name: 'Gravar' })).toHaveProperty('dataset.loading', 'true')
  answer()
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Gravar' })).toHaveProperty('disabled', false),
  )
  expect(name).toHaveProperty('value', 'Rede Horizonte')
  expect(colorField()).toHaveProperty('value', '#7a1f5c')
  await user.click(screen.getByRole('button', { name: 'Gravar' }))
  await screen.findByText('Aparência gravada!')
  expect(received).toEqual([
    ['"3"', { nome: 'Rede', cor: '' }],
    ['"4"', { nome: 'Rede Horizonte', cor: '#7a1f5c' }],
  ])
})
