import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { connectionsApi, usersApi } from '@bi-manager/contract'
import { reportsOf, signedInClient } from './api.ts'
import { launchBrowser } from './browser.ts'
import { startDemo } from './demo.ts'
import { people } from './people.ts'
import { untilRendered } from './report-frame.ts'
import { type Size, sizes, type Visitor, visit } from './visitor.ts'

/*
 * Takes the pictures of docs/images anew, from a fresh demo; with a folder named, all of them go there instead. Look at each
 * before it is committed.
 */

const folder = process.argv[2]
  ? `${process.argv[2]}/`
  : fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const demo = await startDemo()
const browser = await launchBrowser()
await mkdir(folder, { recursive: true })
try {
  const { call, menu } = await signedInClient(demo.portal, people.admin)
  const report = reportsOf(await menu()).find(({ name }) => name === 'Sinistralidade')
  const [connection] = await call(connectionsApi.list, { query: { pagina: 1 } })
  const [ana] = await call(usersApi.list, { query: { busca: 'ana martins', pagina: 1 } })
  for (const size of sizes) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await visit(browser, { portal: demo.portal, size, colorScheme })
      const { page } = visitor
      const shoot = (name: string) =>
        page.screenshot({ path: `${folder}${name}-${size}-${colorScheme}.png`, animations: 'disabled' })
      const open = async (path: string) => {
        await visitor.goto(path)
        await page.getByRole('main').getByRole('heading').first().waitFor()
        await untilQuiet(visitor)
      }
      await visitor.goto('/')
      await page.getByRole('button', { name: 'Acessar' }).waitFor()
      await shoot('sign-in')
      await visitor.signIn(people.admin)
      await page.getByText('BI Saúde').first().waitFor()
      await untilQuiet(visitor)
      await shoot('home')
      await openMenu(visitor, size)
      await shoot('menu')
      await visitor.goto(report?.path ?? '/')
      await untilRendered(page)
      await shoot('viewer')
      await page.getByRole('button', { name: 'Filtrar Relatórios' }).click()
      await page.waitForTimeout(400)
      await shoot('filters')

      await open('/usuario')
      await shoot('users')
      await open('/relatorio')
      await shoot('reports')
      await open('/Registerworkspace')
      await shoot('workspace-form')
      await open(`/Registerpowerbi/${connection?.idPowerBI}`)
      await shoot('connection-form')
      await page.getByRole('button', { name: 'Testar conexão' }).click()
      await page.getByRole('button', { name: 'Testar novamente' }).waitFor()
      await untilQuiet(visitor)
      await shoot('connection-test')
      await open(`/editrelatorio/${ana?.idUsuario}`)
      await shoot('grants-of-group')
      await open(`/searchRelatorio?idUsuario=${ana?.idUsuario}`)
      await shoot('grants')
      await open('/permissao-relatorio')
      await shoot('profiles')
      await visitor.close()
    }
  }
} finally {
  await browser.close()
  await demo.stop()
}

/** Placeholders are gone and motion has ended; the network never rests, for a stream stays open. */
async function untilQuiet({ page }: Visitor) {
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(400)
}

/** On the desktop the menu is always there: its administration is what opens. */
async function openMenu({ page }: Visitor, size: Size) {
  await page.getByRole('button', { name: size === 'phone' ? /abrir menu/i : /configurações/i }).click()
  await page.waitForTimeout(400)
}
