import type { simulateTenant } from '@bi-manager/server/test/stand-ins/microsoft-tenant'

/*
 * The page in which Microsoft shows a report: it answers powerbi-client's messages, reads the rows
 * with the embed token from its own origin, and shows the report's name.
 */

/** The address from which the page reads the rows. */
export const rowsPath = '/simulated/rows'

/** Returns whether the token that the page sends opens all datasets of its report. */
export const opensReport = (
  { missingDatasets }: ReturnType<typeof simulateTenant>,
  authorization = '',
): boolean => missingDatasets(authorization.replace('EmbedToken ', '')).length === 0

/** Runs in the page. Serialised: it cannot use this module. */
const script = (rows: string) => {
  const uniqueId = new URLSearchParams(location.search).get('uid')
  const post = (url: string, body: object) =>
    window.parent.postMessage({ method: 'POST', url, headers: { id: crypto.randomUUID() }, body }, '*')
  const emit = (name: string, body: object = {}) => post(`/reports/${uniqueId}/events/${name}`, body)
  const draw = () => {
    emit('renderingStarted')
    emit('rendered')
  }
  const load = async (accessToken: string) => {
    const answer = await fetch(rows, { headers: { authorization: `EmbedToken ${accessToken}` } })
    if (!answer.ok) return emit('error', { message: 'LoadReportFailed', detailedMessage: 'Get token failed' })
    document.body.textContent = (await answer.json()).name
    emit('loaded')
  }
  addEventListener('message', async ({ source, origin, data }) => {
    if (source !== window.parent || !data.method) return
    const { url, headers, body } = data
    window.parent.postMessage({ statusCode: 202, headers: { id: headers.id }, body: null }, origin)
    // A prepared report is drawn by a later call, after its filters.
    if (url === '/report/load' || url === '/report/prepare') await load(body.accessToken)
    if (url === '/report/load' || url === '/report/render') draw()
  })
  post(`/ready/${uniqueId}`, {})
}

export const embedPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Report</title>
<link rel="icon" href="data:,"><body><script>(${script})(${JSON.stringify(rowsPath)})</script></body></html>`
