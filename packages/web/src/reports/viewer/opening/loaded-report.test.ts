import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { embeddedReport } from '../../../../test/embedded-report.ts'
import { minute, settle, setUpOpening } from '../../../../test/report-opening.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { endSession, startSession, writeUserActivity } from '../../../lib/session/session.ts'
import { emptyPanelChoice } from '../filters/panel-filters.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a loaded report', () => {
  test('a loaded report is redrawn after a transient error, and shows a notice until then', async () => {
    const { page, report, shown, opening } = await opened()
    page().onError({ message: 'ServiceUnavailable' })
    await settle()
    expect(shown().notice).toMatch(/não respondeu/)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(report.refresh).toHaveBeenCalledTimes(1)
    page().onRendered()
    await settle()
    expect(shown().notice).toBeUndefined()
    opening.close()
  })

  const opened = async (search = '') => {
    const made = setUpOpening({ search })
    await settle()
    made.page().onLoaded()
    await settle()
    return made
  }
  const chosen = { operadora: 'CNU', sexo: '', titularidade: '' }

  test('a loaded report resolves filter() only when the filtered report is drawn', async () => {
    const { opening, page } = await opened()
    const done = vi.fn()
    void opening.filter(chosen).then(done)
    await settle()
    page().onRenderingStarted()
    await vi.advanceTimersByTimeAsync(29_000)
    expect(done).toHaveBeenCalledTimes(0)
    page().onRendered()
    await settle()
    expect(done.mock.calls).toEqual([[[]]])
    opening.close()
  })

  test('a loaded report rejects filter() when drawing fails, without a second notice', async () => {
    const { opening, page, shown } = await opened()
    const filtered = expect(opening.filter(emptyPanelChoice)).rejects.toEqual({
      message: 'OpenConnectionError',
    })
    await settle()
    page().onError({ message: 'OpenConnectionError' })
    await filtered
    expect(shown().notice).toBeUndefined()
    opening.close()
  })

  test('reports use to the server at most once a minute', async () => {
    const { opening, page, calls } = await opened()
    writeUserActivity()
    page().onDataSelected([])
    await vi.advanceTimersByTimeAsync(minute)
    for (let click = 0; click < 5; click++) {
      page().onDataSelected([])
      page().onPageChanged('perfil', 'Perfil')
    }
    await settle()
    expect(calls('/usuarios/sessao').map(({ inBackground }) => inBackground)).toEqual([false])
    opening.close()
  })

  test('a loaded report sends pages, filters and errors in one call, by name, and the rest when it is closed', async () => {
    startSession(signedInUntil(Date.now() + 60 * minute))
    const { opening, page, calls } = await opened()
    page().onRendered()
    await settle()
    page().onPageChanged('perfil', 'Perfil')
    page().onDataSelected(['Sinistros.ano'])
    void opening.filter({ ...emptyPanelChoice, sexo: 'feminino' })
    await settle()
    page().onRendered()
    page().onError({ message: 'QueryTimeout', detailedMessage: 'paciente 12' })
    await vi.advanceTimersByTimeAsync(15_000)
    expect(calls('/7/uso').map(({ body, inBackground }) => [body, inBackground])).toEqual([
      [
        {
          eventos: [
            { tipo: 'pagina', nome: 'Visão geral' },
            { tipo: 'pagina', nome: 'Perfil' },
            { tipo: 'filtro', nome: 'Sinistros.ano' },
            { tipo: 'filtro', nome: 'Sinistralidade.sexo' },
            { tipo: 'erro', nome: 'QueryTimeout' },
          ],
        },
        true,
      ],
    ])
    page().onPageChanged('custos', 'Custos')
    opening.close()
    await settle()
    expect(calls('/7/uso')).toHaveLength(2)
    expect(calls('/7/uso').map(({ isKeptAlive }) => isKeptAlive)).toEqual([true, true])
    endSession('terminou')
  })

  test('a loaded report counts a page that the user opens before the first one is known once', async () => {
    startSession(signedInUntil(Date.now() + 60 * minute))
    const { opening, page, report, calls } = await opened()
    const title = Promise.withResolvers<string>()
    report.activePageTitle.mockReturnValueOnce(title.promise)
    page().onRendered()
    page().onPageChanged('perfil', 'Perfil')
    title.resolve('Perfil')
    await settle()
    opening.close()
    await settle()
    expect(calls('/7/uso').map(({ body }) => body)).toEqual([
      { eventos: [{ tipo: 'pagina', nome: 'Perfil' }] },
    ])
    endSession('terminou')
  })

  test('a loaded report opens the page named in the URL, and reports a page that does not exist', async () => {
    const known = await opened('pagina=perfil')
    expect(known.frame.open.mock.calls[0]?.[0].pageName).toBe('perfil')
    expect(known.pages).toEqual([])
    known.opening.close()
    const unknown = await opened('pagina=nada')
    expect(unknown.pages).toEqual([undefined])
    expect(unknown.shown().lostParts).toEqual([
      expect.stringMatching(/^A página do endereço não existe mais/),
    ])
    expect(known.shown().lostParts).toBeUndefined()
    unknown.opening.close()
  })
})

describe('the token', () => {
  test('the token is renewed before it expires, at once on TokenExpired, and never after closing', async () => {
    let issued = 0
    const embedded = () => embeddedReport({ embedToken: `token ${++issued}` })
    const { page, report, calls, opening, frame } = setUpOpening({ embedded })
    await settle()
    page().onLoaded()
    await vi.advanceTimersByTimeAsync(50 * minute)
    expect(report.setAccessToken.mock.calls).toEqual([['token 2']])
    await vi.advanceTimersByTimeAsync(minute)
    page().onError({ message: 'TokenExpired' })
    await settle()
    expect(report.setAccessToken.mock.calls).toEqual([['token 2'], ['token 3']])
    expect(frame.open).toHaveBeenCalledTimes(1)
    expect(calls('/embed').map(({ inBackground }) => inBackground)).toEqual([false, true, true])
    opening.close()
    await vi.advanceTimersByTimeAsync(120 * minute)
    expect(calls('/embed')).toHaveLength(3)
  })

  test('the token ends the report when its renewal says that the report is gone, not on transient errors', async () => {
    const { page, report, shown, opening } = setUpOpening()
    await settle()
    page().onLoaded()
    report.setAccessToken.mockRejectedValueOnce(new Error('no answer'))
    await vi.advanceTimersByTimeAsync(50 * minute)
    expect(shown()).toMatchObject({
      phase: 'carregado',
      renewalFails: expect.stringMatching(/continua na tela/),
    })
    report.setAccessToken.mockRejectedValueOnce({ message: 'PowerBIEntityNotFound' })
    await vi.advanceTimersByTimeAsync(minute)
    expect(shown()).toMatchObject({ phase: 'erro', problem: { code: 'PowerBIEntityNotFound' } })
    opening.close()
  })
})
