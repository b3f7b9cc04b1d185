import type { Page } from 'playwright-core'

/** Exports the report of a page as PDF through the API, with the page's session. */
export const exportAsPdf = async (page: Page): Promise<Buffer> => {
  const base64 = await page.evaluate(async () => {
    const { access_token } = JSON.parse(localStorage.getItem('bi-manager.sessao') ?? '{}')
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const call = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`/api${path}`, { headers, ...init })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response
    }
    const menu = await (await call('/usuarios/menus')).json()
    const shown = location.pathname.split('/').at(-1)
    const reports = menu.flatMap(({ relatorios }: { relatorios: { reportId: string }[] }) => relatorios)
    const { idRelatorio } = reports.find(({ reportId }: { reportId: string }) => reportId === shown)
    const path = `/usuarios/relatorio/${idRelatorio}/exportacao`
    const started = await call(path, { method: 'POST', body: JSON.stringify({ formato: 'PDF' }) })
    const { idExportacao } = await started.json()
    for (;;) {
      const { estado, motivo } = await (await call(`${path}/${idExportacao}`)).json()
      if (estado === 'PRONTA') break
      if (estado === 'FALHOU') throw new Error(motivo)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    const bytes = await (await call(`${path}/${idExportacao}/arquivo`)).arrayBuffer()
    let text = ''
    for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte)
    return btoa(text)
  })
  return Buffer.from(base64, 'base64')
}
