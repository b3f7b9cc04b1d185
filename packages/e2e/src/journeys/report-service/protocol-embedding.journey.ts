import { expect, test } from 'vitest'
import { protocolReport } from '../../stock/protocol-report.ts'
import { embedIn, reportFrame, stockPages } from '../../stock/stock-page.ts'

/* What else Microsoft's unmodified client embeds: one visual, and content that is refused. */

const { openPage } = stockPages()

const single = (visualName: string, pageName = 'uma') => ({ type: 'visual' as never, visualName, pageName })

test('the embed page embeds one visual, which fills the frame', async () => {
  const { page, configuration } = await openPage()
  const given = { ...(await configuration(protocolReport.name)), ...single('especialidade') }
  await embedIn(page, given, 'rendered')
  const frame = reportFrame(page)
  const box = (name: string) => frame.locator(`.visual[data-name=${name}]`).boundingBox()
  const [own, other] = [await box('especialidade'), await box('operadora')]
  expect(other).toBeNull()
  // The element that holds the report is 1000 × 600.
  expect([(own?.width ?? 0) > 900, (own?.height ?? 0) > 500]).toEqual([true, true])
  const described = await page.evaluate(async () => {
    const visual = stock.report as unknown as {
      getVisualDescriptor(): Promise<{ name: string; type: string }>
    }
    const { name, type } = await visual.getVisualDescriptor()
    return { name, type }
  })
  expect(described).toEqual({ name: 'especialidade', type: 'tableEx' })
})

test.each([single('nenhum'), single('operadora', 'nenhuma')])(
  'an unknown visual or page emits error: %j',
  async (which) => {
    const { page, configuration } = await openPage()
    const given = { ...(await configuration(protocolReport.name)), ...which }
    const heard = await embedIn(page, given, 'error')
    expect(heard).toMatchObject([['error', { message: 'PowerBIEntityNotFound', level: 6 }]])
  },
)

test.each([
  ['dashboard', '/dashboardEmbed', { id: 'x' }],
  ['tile', '/embed', { id: 'x', dashboardId: 'y' }],
  ['qna', '/qnaEmbed', { datasetIds: ['x'] }],
  ['create', '/reportEmbed', { datasetId: 'x' }],
])('a %s is refused with an error event, and the page says why', async (type, path, more) => {
  const { page, configuration, expectComplaint } = await openPage()
  // The client rejects a promise that no page can reach.
  expectComplaint(/Object|Uncaught/)
  const { embedUrl, accessToken, tokenType } = await configuration(protocolReport.name)
  const url = new URL(embedUrl)
  url.pathname = path
  const refusal = await page.evaluate(
    ({ type, ...given }) =>
      new Promise((resolve) => {
        const element = stock.element()
        element.addEventListener('error', (event) => resolve(Reflect.get(event, 'detail')))
        if (type === 'create') powerbi.createReport(element, given as never)
        else powerbi.embed(element, { type, ...given } as never)
      }),
    { type, accessToken, tokenType, embedUrl: url.href, ...more },
  )
  expect(refusal).toEqual({
    message: 'NotImplemented',
    detailedMessage: 'Este serviço só mostra relatórios e os seus visuais.',
    errorCode: 'NotImplemented',
    level: 6,
  })
  const frame = page.frames().find((candidate) => candidate.url().includes(path))
  await frame?.getByText('Este serviço só mostra relatórios e os seus visuais.').waitFor()
})
