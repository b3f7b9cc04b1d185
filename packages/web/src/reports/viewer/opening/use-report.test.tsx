import type { EmbeddedReport } from '@bi-manager/contract'
import { act, render } from '@testing-library/react'
import { useEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { embeddedReport } from '../../../../test/embedded-report.ts'
import { followLive } from '../../../lib/live/live.ts'
import type { ReportIds } from '../../../lib/navigation/report-path.ts'
import type { Session } from '../../../lib/session/session.ts'
import { emptyPanelChoice, type PanelChoice } from '../filters/panel-filters.ts'
import type { ReportMemory } from '../filters/use-kept-address.ts'
import { FrameSlot } from '../frame/frame-store.ts'
import type { FrameListeners, OpenReport, ReportFrame } from '../frame/report-frame.ts'
import { useReport, type ViewedReport } from './use-report.ts'

const one: ReportIds = {
  groupId: '22222222-aaaa-4222-8222-222222222222',
  reportId: '33333333-aaaa-4333-8333-333333333333',
}
const other: ReportIds = { ...one, reportId: '44444444-aaaa-4444-8444-444444444444' }
const minute = 60_000

interface PageProps {
  report: ReportIds
  memory: ReportMemory
  onViewed: (viewed: ViewedReport) => void
}

const Page = ({ report, memory, onViewed }: PageProps) => {
  const viewed = useReport(report, memory)
  useEffect(() => onViewed(viewed))
  return <div ref={viewed.frameElement} />
}

/** The test plays the provider's page; everything else is real down to `fetch`. */
const setUp = async (search = '') => {
  const refusals: { status: number; codigo: string }[] = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.endsWith('/portal'))
      return Response.json({ origemEmbed: 'http://localhost:4501', demonstracao: true })
    if (url.endsWith('/eventos')) return new Response('event: acesso\ndata:\n\n')
    if (!url.endsWith('/embed')) return new Response(null, { status: 204 })
    const refusal = refusals.shift()
    if (refusal)
      return Response.json(
        { type: 'about:blank', title: 'x', detail: 'Frase.', idRequisicao: '1', ...refusal },
        { status: refusal.status },
      )
    const { reportId } = JSON.parse(String(init?.body)) as ReportIds
    return Response.json(embeddedReport({ reportId, idRelatorio: reportId === one.reportId ? 7 : 8 }))
  })
  const captures: ((state: string) => void)[] = []
  const report: OpenReport = {
    setFilters: async () => undefined,
    setAccessToken: async () => undefined,
    render: async () => undefined,
    refresh: async () => undefined,
    print: async () => undefined,
    selectedPoint: async () => undefined,
    pageNames: async () => [],
    activePage: async () => undefined,
    activePageTitle: async () => undefined,
    activeVisuals: async () => [],
    showPage: async () => undefined,
    captureBookmark: () => new Promise((resolve) => captures.push(resolve)),
    applyBookmark: async () => undefined,
  }
  const opened: { reportId: string; bookmark: string | undefined; page: FrameListeners }[] = []
  const frame = {
    bootstrap: () => undefined,
    reset: () => undefined,
    release: () => undefined,
    open: async ({ reportId }: EmbeddedReport, { bookmark }: { bookmark?: string }, page: FrameListeners) => {
      opened.push({ reportId, bookmark, page })
      return report
    },
  }
  vi.spyOn(FrameSlot.prototype, 'frame').mockResolvedValue(frame as unknown as ReportFrame)
  const onViewed = vi.fn<(viewed: ViewedReport) => void>()
  // Like the router, this renders a requested URL only later.
  const asked: string[] = []
  const setSearch = (next: URLSearchParams) => void asked.push(next.toString())
  let shown = { report: one, search: new URLSearchParams(search) }
  const page = () => <Page report={shown.report} memory={[shown.search, setSearch]} onViewed={onViewed} />
  const view = render(page())
  await pass(0)
  const status = () => onViewed.mock.lastCall?.[0].status ?? { phase: 'carregando' as const }
  const say = (what: 'onLoaded' | 'onRendered') =>
    act(async () => {
      opened.at(-1)?.page[what]()
      await vi.advanceTimersByTimeAsync(0)
    })
  const fail = (message: string) =>
    act(async () => {
      opened.at(-1)?.page.onError({ message })
      await vi.advanceTimersByTimeAsync(0)
    })
  const draw = async () => {
    await say('onLoaded')
    await say('onRendered')
  }
  const show = async (report: ReportIds) => {
    shown = { ...shown, report }
    view.rerender(page())
    await pass(0)
  }
  const address = async (search: string) => {
    shown = { ...shown, search: new URLSearchParams(search) }
    view.rerender(page())
    await pass(0)
  }
  const changePage = (name: string) => act(async () => opened.at(-1)?.page.onPageChanged(name, name))
  const filter = (choice: PanelChoice) =>
    act(async () => {
      const applied = onViewed.mock.lastCall?.[0].filter(choice)
      await vi.advanceTimersByTimeAsync(0)
      opened.at(-1)?.page.onRenderingStarted()
      opened.at(-1)?.page.onRendered()
      await applied
    })
  return { refusals, captures, opened, report, asked, status, draw, fail, show, address, changePage, filter }
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** Emits the access event that the server sends to every tab. */
const accessChanges = async () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  const stop = followLive({ access_token: 'x' } as Session)
  await pass(0)
  stop()
}

/**
 * Plays matchMedia: a list notifies its listeners of changes after its creation, a moment later.
 */
let isUpright: boolean
let notifyTurn: () => void
const turn = () => {
  isUpright = !isUpright
  notifyTurn()
}
beforeEach(() => {
  vi.useFakeTimers()
  isUpright = false
  const lists: (EventTarget & { matches: boolean })[] = []
  vi.spyOn(window, 'matchMedia').mockImplementation(() => {
    const list = Object.assign(new EventTarget(), { matches: isUpright })
    lists.push(list)
    return list as unknown as MediaQueryList
  })
  notifyTurn = () => {
    for (const list of lists) {
      if (list.matches === isUpright) continue
      list.matches = isUpright
      list.dispatchEvent(new Event('change'))
    }
  }
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('useReport clears the messages of the failed opening when a report reopens automatically', async () => {
  const { refusals, opened, status, draw, fail } = await setUp()
  await draw()
  act(() => opened.at(-1)?.page.onDataSelected([]))
  await fail('QueryTimeout')
  refusals.push({ status: 503, codigo: 'bi_pausado' }, { status: 403, codigo: 'relatorio_sem_permissao' })
  await pass(50 * minute)
  expect(status()).toMatchObject({
    phase: 'renderizado',
    isUsed: true,
    notice: expect.stringContaining('demorou demais'),
    renewalFails: expect.stringContaining('continua na tela'),
  })
  await pass(2_000)
  expect(status()).toMatchObject({ phase: 'erro', problem: { title: 'Relatório não liberado' } })

  await accessChanges()
  await draw()
  expect(opened).toHaveLength(2)
  expect(status()).toMatchObject({ phase: 'renderizado', idRelatorio: 7 })
  const { isUsed, notice, renewalFails, missing, lostParts, problem } = status()
  expect({ isUsed, notice, renewalFails, missing, lostParts, problem }).toEqual({})
})

test('useReport reopens the report with its selections when a phone is rotated', async () => {
  const { captures, opened, draw } = await setUp()
  await draw()
  act(() => turn())
  await pass(0)
  captures[0]?.('estado')
  await pass(0)
  expect(opened.map(({ reportId, bookmark }) => [reportId, bookmark])).toEqual([
    [one.reportId, undefined],
    [one.reportId, 'estado'],
  ])
})

test('useReport keeps the selections when the phone is rotated back before the report has opened', async () => {
  const { captures, opened, draw } = await setUp()
  await draw()
  act(() => turn())
  await pass(0)
  captures[0]?.('estado')
  await pass(0)
  act(() => turn())
  await pass(0)
  expect(opened.map(({ bookmark }) => bookmark)).toEqual([undefined, 'estado', 'estado'])

  // Once loaded, the report itself provides the current selections.
  await draw()
  act(() => turn())
  await pass(0)
  captures[1]?.('outro')
  await pass(0)
  expect(opened.at(-1)?.bookmark).toBe('outro')
})

test('useReport reopens in the other layout when the phone is rotated as the report loads', async () => {
  const { captures, opened, draw } = await setUp()
  isUpright = true
  await draw()
  act(() => notifyTurn())
  await pass(0)
  captures[0]?.('estado')
  await pass(0)
  expect(opened.map(({ bookmark }) => bookmark)).toEqual([undefined, 'estado'])
})

test('useReport reopens without selections when the phone is rotated before the first load', async () => {
  const { captures, opened } = await setUp()
  act(() => turn())
  await pass(0)
  expect(opened.map(({ bookmark }) => bookmark)).toEqual([undefined, undefined])
  expect(captures).toEqual([])
})

test('the selections of a closed report are not applied to the next one', async () => {
  const { captures, opened, draw, show, status } = await setUp()
  await draw()
  act(() => turn())
  await show(other)
  await draw()
  captures[0]?.('estado')
  await pass(0)
  expect(opened.map(({ reportId, bookmark }) => [reportId, bookmark])).toEqual([
    [one.reportId, undefined],
    [other.reportId, undefined],
  ])
  expect(status().phase).toBe('renderizado')
})

const women: PanelChoice = { ...emptyPanelChoice, sexo: 'feminino' }

test('useReport keeps a page change in the URL when a re-render precedes the router update', async () => {
  const { asked, draw, changePage, filter, show } = await setUp()
  await draw()
  await changePage('idade')
  expect(asked).toEqual(['pagina=idade'])
  await show(one)
  await filter(women)
  expect(asked.at(-1)).toBe('pagina=idade&sexo=feminino')
})

test('useReport keeps the filters in force while the router applies rewrites one by one', async () => {
  const { asked, report, draw, changePage, filter, address } = await setUp()
  const setFilters = vi.spyOn(report, 'setFilters')
  await draw()
  await changePage('idade')
  await filter(women)
  const inForce = setFilters.mock.calls.length
  await address('pagina=idade')
  expect(setFilters).toHaveBeenCalledTimes(inForce)
  await changePage('custo')
  expect(asked.at(-1)).toBe('pagina=custo&sexo=feminino')
  await address('pagina=custo&sexo=feminino')
  expect(setFilters).toHaveBeenCalledTimes(inForce)

  // A link to the same report does change the filters.
  await address('sexo=masculino')
  expect(setFilters).toHaveBeenCalledTimes(inForce + 1)
  await draw()
  await changePage('idade')
  expect(asked.at(-1)).toBe('sexo=masculino&pagina=idade')
})

test('useReport discards pending URL rewrites when another report opens', async () => {
  const { asked, draw, changePage, show } = await setUp()
  await draw()
  await changePage('idade')
  await show(other)
  await draw()
  await changePage('custo')
  expect(asked.at(-1)).toBe('pagina=custo')
})

test('useReport removes filters that the panel does not offer from the URL, and says so', async () => {
  const { asked, status, draw } = await setUp('sexo=outro&operadora=CNU&T/cor=azul')
  await draw()
  expect(asked.at(-1)).toBe('operadora=CNU')
  expect(status()).toMatchObject({
    hadInvalidFilter: true,
    missing: [{ nome: 'T/cor' }],
    choice: { operadora: 'CNU' },
  })
})

test('useReport hides the panel once the report turns out to lack each of its columns', async () => {
  const { report, status, draw, filter } = await setUp()
  await draw()
  expect(status().fields).toHaveLength(3)
  vi.spyOn(report, 'setFilters').mockImplementation(async (filters) => {
    if (filters.length > 0) throw { message: 'InvalidParameters' }
  })
  await filter({ sexo: 'feminino' })
  expect(status().fields?.map(({ nome }) => nome)).toEqual(['operadora', 'titularidade'])
  // The panel itself names the filter while it is open.
  expect(status().missing).toBeUndefined()
  await filter({ operadora: 'CNU', titularidade: 'consulta' })
  expect(status().fields).toEqual([])
  expect(status().missing?.map(({ rotulo }) => rotulo)).toEqual(['Operadora', 'Titularidade'])
})
