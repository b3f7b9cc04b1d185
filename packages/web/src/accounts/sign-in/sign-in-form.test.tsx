import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { oidcApi, portalApi, problems, sessionsApi } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentSession } from '../../lib/session/session.ts'
import { OTHER_PROBLEM, urls, WRONG_CREDENTIALS } from './sign-in-api.ts'
import { SignInForm } from './sign-in-form.tsx'

/** The response of the test's HTTP server to every call. */
let answer: { status: number; body: object; retryAfter?: string; date?: string }
let received: unknown[]
let server: Server

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      received.push([request.url, JSON.parse(text)])
      // Node adds the date by itself.
      response.sendDate = answer.date !== ''
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'retry-after': answer.retryAfter ?? '',
        ...(answer.date && { date: answer.date }),
      })
      response.end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://localhost:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())
afterEach(() => vi.doUnmock('./sign-in-code.tsx'))

beforeEach(() => {
  received = []
  render(
    <MantineProvider>
      <SignInForm lead="Entre para ver seus relatórios gerenciais." />
    </MantineProvider>,
  )
})

const submit = async (username: string, password: string) => {
  if (username) await userEvent.type(screen.getByLabelText('Usuário'), username)
  if (password) await userEvent.type(screen.getByLabelText('Senha'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Acessar' }))
}

test('the sign-in form uses the URLs and sentences of the contract', () => {
  expect(urls).toEqual({
    signIn: sessionsApi.signIn.url,
    portal: portalApi.settings.url,
    startProvider: oidcApi.start.url,
  })
  expect(WRONG_CREDENTIALS).toBe(problems.credenciais_invalidas.detail)
  expect(OTHER_PROBLEM).toBe(problems.erro_interno.detail)
})

test('the sign-in form requires both fields and sends nothing without them', async () => {
  await submit('', '')
  expect(screen.getByText('Usuário é obrigatório')).toBeDefined()
  expect(screen.getByText('Senha obrigatório')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Usuário'))
  expect(received).toEqual([])
})

test('the sign-in form stores the session, and only the user name when asked to remember it', async () => {
  answer = { status: 200, body: signedInUntil(Date.now() + 60_000) }
  await userEvent.click(screen.getByLabelText('Lembrar Usuário'))
  await submit(' ana@demo.local ', 'segredo de ana')
  await waitFor(() => expect(currentSession()?.nome).toBe('Ana Souza'))
  expect(received).toEqual([
    ['/api/usuarios/authorizer', { username: 'ana@demo.local', password: 'segredo de ana' }],
  ])
  expect(localStorage.getItem('bi-manager.usuario-lembrado')).toBe('ana@demo.local')
  expect(JSON.stringify({ ...localStorage })).not.toContain('segredo')
})

test.each([
  [401, undefined, 'Atenção! Usuário ou senha, incorretos, tente novamente.'],
  [
    500,
    undefined,
    'Erro! Tente novamente caso este problema persista, entre em contato com o suporte do sistema.',
  ],
  [429, '840', `${problems.muitas_tentativas.detail} Nova tentativa em 14 minutos.`],
  [429, '1', `${problems.muitas_tentativas.detail} Nova tentativa em 1 segundo.`],
])(
  'the sign-in form shows the sentence for status %s (Retry-After %s) and keeps the typed text',
  async (status, retryAfter, text) => {
    answer = {
      status,
      body: {
        codigo: status === 429 ? 'muitas_tentativas' : 'erro_interno',
        detail: problems.muitas_tentativas.detail,
      },
      ...(retryAfter && { retryAfter }),
    }
    await submit('ana', 'errada')
    expect((await screen.findByRole('alert')).textContent).toBe(text)
    expect(screen.getByLabelText<HTMLInputElement>('Usuário').value).toBe('ana')
    expect(screen.getByLabelText<HTMLInputElement>('Senha').value).toBe('errada')
    expect(currentSession()).toBeUndefined()
  },
)

test('the sign-in form says that the network is refused, which the person can change', async () => {
  const { detail } = problems.rede_nao_permitida
  answer = { status: 403, body: { codigo: 'rede_nao_permitida', detail } }
  await submit('ana@demo.local', 'segredo de ana')
  expect((await screen.findByRole('alert')).textContent).toBe(detail)
})

test('the sign-in form shows the password on demand', async () => {
  const field = screen.getByLabelText('Senha')
  expect(field.getAttribute('type')).toBe('password')
  await userEvent.click(screen.getByRole('button', { name: 'Mostrar senha' }))
  expect(field.getAttribute('type')).toBe('text')
})

describe('with a second factor', () => {
  const refuse = (codigo: 'segundo_fator_necessario' | 'codigo_invalido' | 'credenciais_invalidas') => {
    answer = { status: 401, body: { codigo, detail: problems[codigo].detail } }
  }
  const toSecondStep = async () => {
    refuse('segundo_fator_necessario')
    await submit(' ana@demo.local ', 'segredo de ana')
    return screen.findByLabelText<HTMLInputElement>('Código de 6 dígitos')
  }
  const confirm = () => userEvent.click(screen.getByRole('button', { name: 'Confirmar' }))

  test('the form asks for the code after the password, and sends it with the credentials', async () => {
    const code = await toSecondStep()
    expect(screen.queryByRole('alert')).toBe(null)
    expect([code.autocomplete, code.inputMode, document.activeElement === code]).toEqual([
      'one-time-code',
      'numeric',
      true,
    ])
    await confirm()
    expect(screen.getByText('Informe o código')).toBeDefined()
    expect(received).toHaveLength(1)
    answer = { status: 200, body: signedInUntil(Date.now() + 60_000) }
    await userEvent.click(code)
    await userEvent.paste(' 123 456 ')
    await confirm()
    await waitFor(() => expect(currentSession()?.nome).toBe('Ana Souza'))
    expect(received[1]).toEqual([
      '/api/usuarios/authorizer',
      { username: 'ana@demo.local', password: 'segredo de ana', codigo: '123 456' },
    ])
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('segredo de ana')
  })

  test('the form keeps the busy form until the second step is loaded', async () => {
    let arrive: () => void = () => undefined
    vi.doMock('./sign-in-code.tsx', async (original) => {
      await new Promise<void>((resolve) => {
        arrive = resolve
      })
      return original()
    })
    refuse('segundo_fator_necessario')
    await submit(' ana@demo.local ', 'segredo de ana')
    await waitFor(() => expect(received).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Acessar' })
    expect(['aria-disabled', 'aria-busy'].map((name) => button.getAttribute(name))).toEqual(['true', 'true'])
    expect(screen.getByLabelText<HTMLInputElement>('Senha').value).toBe('segredo de ana')
    arrive()
    await screen.findByLabelText('Código de 6 dígitos')
  })

  test('the form reports a second step that cannot be loaded and keeps the typed text', async () => {
    // After a deployment, the chunk of the open page no longer exists.
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    vi.doMock('./sign-in-code.tsx', () => Promise.reject(new TypeError('Failed to fetch module')))
    refuse('segundo_fator_necessario')
    await submit(' ana@demo.local ', 'segredo de ana')
    expect((await screen.findByRole('alert')).textContent).toBe(
      'A página não pôde ser baixada. Verifique sua conexão e tente novamente; se continuar, recarregue-a.',
    )
    expect(screen.getByLabelText<HTMLInputElement>('Usuário').value).toBe(' ana@demo.local ')
    expect(screen.getByLabelText<HTMLInputElement>('Senha').value).toBe('segredo de ana')
    expect(warn).toHaveBeenCalledOnce()
    vi.doUnmock('./sign-in-code.tsx')
    await userEvent.click(screen.getByRole('button', { name: 'Acessar' }))
    await screen.findByLabelText('Código de 6 dígitos')
  })

  test('the form reports a wrong code and keeps it for correction', async () => {
    const code = await toSecondStep()
    refuse('codigo_invalido')
    await userEvent.type(code, '111111')
    await confirm()
    expect((await screen.findByRole('alert')).textContent).toBe(problems.codigo_invalido.detail)
    expect(code.value).toBe('111111')
    expect(document.activeElement).toBe(code)
  })

  test('the form accepts a recovery code in a separate field', async () => {
    await toSecondStep()
    await userEvent.click(screen.getByRole('button', { name: 'Usar um código de recuperação' }))
    const code = screen.getByLabelText<HTMLInputElement>('Código de recuperação')
    expect([code.inputMode, document.activeElement === code]).toEqual(['text', true])
    answer = { status: 200, body: signedInUntil(Date.now() + 60_000) }
    await userEvent.type(code, 'abcd-efgh-jkmn-pqrs')
    await confirm()
    await waitFor(() =>
      expect(received[1]).toMatchObject(['/api/usuarios/authorizer', { codigo: 'abcd-efgh-jkmn-pqrs' }]),
    )
  })

  test('the form returns to the filled first step on Voltar and when the password has changed', async () => {
    await toSecondStep()
    await userEvent.click(screen.getByRole('button', { name: 'Voltar' }))
    expect(screen.getByLabelText<HTMLInputElement>('Usuário').value).toBe(' ana@demo.local ')
    expect(screen.getByLabelText<HTMLInputElement>('Senha').value).toBe('segredo de ana')
    await userEvent.click(screen.getByRole('button', { name: 'Acessar' }))
    await userEvent.type(await screen.findByLabelText('Código de 6 dígitos'), '123456')
    refuse('credenciais_invalidas')
    await confirm()
    expect((await screen.findByRole('alert')).textContent).toBe(WRONG_CREDENTIALS)
    expect(screen.getByLabelText<HTMLInputElement>('Senha').value).toBe('segredo de ana')
  })
})

test('the sign-in form prefers the known user name over the remembered one', () => {
  localStorage.setItem('bi-manager.usuario-lembrado', 'outra@demo.local')
  cleanup()
  render(
    <MantineProvider>
      <SignInForm lead="Entre." knownAs="bia@demo.local" />
    </MantineProvider>,
  )
  expect(screen.getByLabelText<HTMLInputElement>('Usuário').value).toBe('bia@demo.local')
  expect(document.activeElement).toBe(screen.getByLabelText('Senha'))
})

describe("a computer whose clock is ahead of the server's by more than the session's life", () => {
  const hours = 3_600_000
  const serverTime = () => Date.now() - 20 * hours

  describe('after the code of a second factor', () => {
    const sendCode = async () => {
      const { detail } = problems.segundo_fator_necessario
      answer = { status: 401, body: { codigo: 'segundo_fator_necessario', detail }, date: '' }
      await submit('ana', 'uma senha')
      await userEvent.type(await screen.findByLabelText('Código de 6 dígitos'), '123456')
      return (body: object, date: string) => {
        answer = { status: 200, body, date }
        return userEvent.click(screen.getByRole('button', { name: 'Confirmar' }))
      }
    }

    test("the form signs in by the server's clock", async () => {
      const body = signedInUntil(serverTime() + 8 * hours)
      const confirm = await sendCode()
      await confirm(body, new Date(serverTime()).toUTCString())
      await waitFor(() => expect(currentSession()?.access_token).toBe(body.access_token))
    })

    test('the form shows that the clock is wrong when the answer has no date, and the button works again', async () => {
      const confirm = await sendCode()
      await confirm(signedInUntil(serverTime() + 8 * hours), '')
      expect(await screen.findByText(/^O relógio deste computador está errado/)).toBeDefined()
      expect(screen.getByRole('button', { name: 'Confirmar' }).getAttribute('aria-busy')).toBe('false')
    })
  })

  test('the form shows that the clock is wrong when the answer has no date, and the button works again', async () => {
    answer = { status: 200, body: signedInUntil(serverTime() + 8 * hours), date: '' }
    await submit('ana', 'uma senha')
    expect(await screen.findByText(/^O relógio deste computador está errado/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Acessar' }).getAttribute('aria-busy')).toBe('false')
  })

  test("a person signs in by the server's clock, also on the next page", async () => {
    const body = signedInUntil(serverTime() + 8 * hours)
    answer = { status: 200, body, date: new Date(serverTime()).toUTCString() }
    await submit('ana', 'uma senha')
    await waitFor(() => expect(currentSession()?.access_token).toBe(body.access_token))
    expect(Number(localStorage.getItem('bi-manager.relogio'))).toBeLessThan(-19 * hours)
    vi.resetModules()
    const { currentSession: onNextPage } = await import('../../lib/session/session.ts')
    expect(onNextPage()?.access_token).toBe(body.access_token)
  })
})

test('an answer that the page cannot read is a problem, and the button works again', async () => {
  answer = { status: 200, body: { access_token: 5 } }
  await submit('ana', 'uma senha')
  expect(await screen.findByText(OTHER_PROBLEM)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Acessar' }).getAttribute('aria-busy')).toBe('false')
})
