import type { Page } from 'playwright-core'
import { press, type Screen } from './screen.ts'

const rows = ['Centro;R$ 1,50', 'Norte;R$ 2,00', 'Sul;R$ 3,00']

const chooseFile = async (page: Page, name: string) => {
  const chooser = page.waitForEvent('filechooser')
  await press(page, /^Escolher (outros )?arquivos$/)
  await (await chooser).setFiles({
    name: `${name}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`Unidade;Valor\n${rows.join('\n')}\n`),
  })
  await page.getByText('Conferido: nenhum erro.').waitFor()
  await page.locator('[data-preview="renderizado"]').waitFor({ timeout: 40_000 })
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Definição do relatório' })

/**
 * Screens of publishing. The last two of them show the report that the one before has published.
 * @param name of the file, and so of the report
 */
export const publishingScreens = (name = 'Custos por unidade'): Screen[] => [
  { name: 'publishing-1-empty', path: '/publicar' },
  { name: 'publishing-2-file', path: '/publicar', act: (page) => chooseFile(page, name) },
  {
    name: 'publishing-3-error',
    path: '/publicar',
    act: async (page) => {
      await chooseFile(page, name)
      await page.getByText('Definição do relatório', { exact: true }).click()
      await editor(page).focus()
      await editor(page).press('ControlOrMeta+a')
      await page.keyboard.insertText('{"pages": [{"visuals": [{"type": ""}]}]}')
      for (let left = '"}]}]}'.length; left > 0; left--) await editor(page).press('ArrowLeft')
      await editor(page).press('Control+Space')
      await page.getByRole('listbox', { name: 'Sugestões' }).getByRole('option').first().waitFor()
    },
  },
  {
    name: 'publishing-4-done',
    path: '/publicar',
    act: async (page) => {
      await chooseFile(page, name)
      await page.getByRole('button', { name: 'Publicar', exact: true }).click()
      await page.getByText('Relatório publicado!').waitFor()
    },
  },
  { name: 'published', path: '/publicados' },
  {
    name: 'published-report',
    path: '/publicados',
    act: async (page) => {
      // The name that the portal proposes has spaces.
      const shown = new RegExp(name.replaceAll('_', '[_ ]'))
      await page.getByRole('main').getByRole('link', { name: shown }).click()
      await page.getByRole('heading', { name: /^Versão 1/ }).waitFor()
    },
  },
]
