import type { EmbeddedReport } from '@bi-manager/contract'
import { models } from 'powerbi-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { embeddedReport } from '../../../../test/embedded-report.ts'
import { BiService } from './bi-service.ts'
import { type FrameListeners, ReportFrame } from './report-frame.ts'
import { type ChosenVisual, chosenVisual, type VisualCommand } from './visual-commands.ts'

const origin = 'http://localhost:4501'
const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

const embedded = embeddedReport({ nomeRelatorio: 'Internações' })
const detail = {
  command: 'exportarXlsx',
  page: { name: 'geral' },
  visual: { name: 'por_uf', title: 'Custo por estado' },
}

let frame: ReportFrame
let element: HTMLElement
beforeEach(() => {
  const place = document.createElement('div')
  frame = new ReportFrame(new BiService(origin), place)
  element = place.firstElementChild as HTMLElement
  vi.spyOn(console, 'log').mockReturnValue(undefined)
})
afterEach(() => frame.drop())

const nothing = () => undefined
const open = async (
  { onVisualCommand, ...report }: Partial<EmbeddedReport> & Pick<FrameListeners, 'onVisualCommand'>,
  hasVisualMenus = true,
) => {
  const embed = vi.spyOn(BiService.prototype, 'embed')
  const listeners = {
    onLoaded: nothing,
    onRenderingStarted: nothing,
    onRendered: nothing,
    onPageChanged: nothing,
    onDataSelected: nothing,
    onIdentityMissing: nothing,
    onError: nothing,
    ...(onVisualCommand ? { onVisualCommand } : {}),
  }
  const { signal } = new AbortController()
  await frame.open({ ...embedded, ...report }, { drawLater: false, hasVisualMenus, signal }, listeners)
  return embed.mock.lastCall?.[1] as models.IReportEmbedConfiguration
}

describe("the portal's commands", () => {
  test("the portal's commands are in the menus of the local service's visuals, as the client's validator wants it", async () => {
    const config = await open({ onVisualCommand: nothing })
    expect(config.settings?.extensions).toMatchObject([
      { command: { title: 'Exportar dados (XLSX)' } },
      { command: { title: 'Criar alerta' } },
    ])
    expect(models.validateReportLoad(config)).toBeUndefined()
  })

  test("the portal's commands are not in the menus of Microsoft's visuals, whose rows the portal does not read", async () => {
    const config = await open({
      embedUrl: 'https://app.powerbi.com/reportEmbed?reportId=1',
      onVisualCommand: nothing,
    })
    expect(config.settings?.extensions).toBeUndefined()
    expect(models.validateReportLoad(config)).toBeUndefined()
  })

  test("the portal's commands are left out without a listener, and where the menus of visuals are hidden", async () => {
    expect((await open({})).settings?.extensions).toBeUndefined()
    expect((await open({ onVisualCommand: nothing }, false)).settings?.extensions).toBeUndefined()
  })

  test("the portal's commands name the visual, once the report has loaded", async () => {
    const asked: [VisualCommand, ChosenVisual][] = []
    await open({ onVisualCommand: (...command) => asked.push(command) })
    const choose = () => element.dispatchEvent(new CustomEvent('commandTriggered', { detail }))
    choose()
    element.dispatchEvent(new CustomEvent('loaded'))
    choose()
    expect(asked).toEqual([
      ['exportarXlsx', { pagina: 'geral', visual: 'por_uf', titulo: 'Custo por estado' }],
    ])
  })

  test.each([
    ['another command', { ...detail, command: 'outro' }],
    ['no page', { ...detail, page: undefined }],
    ['a page that no report has', { ...detail, page: { name: '../x' } }],
    ['a visual that no report has', { ...detail, visual: { name: "x' or 1 eq 1" } }],
    ['nothing', undefined],
  ])("the portal's commands ignore an event with %s", (_what, given) => {
    expect(chosenVisual(given)).toBeUndefined()
  })
})

test('visualCommands lets the local frame write to the clipboard', async () => {
  await open({})
  expect(element.querySelector('iframe')?.getAttribute('allow')).toBe('clipboard-write')
})
