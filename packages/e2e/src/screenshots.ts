import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { reportsOf, signedInClient } from './api.ts'
import { launchBrowser } from './browser.ts'
import { startDemo } from './demo.ts'
import { people } from './people.ts'
import { untilRendered } from './report-frame.ts'
import { type Size, sizes, type Visitor, visit } from './visitor.ts'

/* Takes the pictures of docs/images anew, from a fresh demo. Look at each before it is committed. */

const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const demo = await startDemo()
const browser = await launchBrowser()
await mkdir(folder, { recursive: true })
try {
  const { menu } = await signedInClient(demo.portal, people.admin)
  const report = reportsOf(await menu()).find(({ name }) => name === 'Sinistralidade')
  for (const size of sizes) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await visit(browser, { portal: demo.portal, size, colorScheme })
      const shoot = (name: string) =>
        visitor.page.screenshot({
          path: `${folder}${name}-${size}-${colorScheme}.png`,
          animations: 'disabled',
        })
      await visitor.goto('/')
      await visitor.page.getByRole('button', { name: 'Acessar' }).waitFor()
      await shoot('sign-in')
      await visitor.signIn(people.admin)
      await visitor.page.getByText('BI Saúde').first().waitFor()
      await visitor.page.waitForLoadState('networkidle')
      await shoot('home')
      await openMenu(visitor, size)
      await shoot('menu')
      await visitor.goto(report?.path ?? '/')
      await untilRendered(visitor.page)
      await shoot('viewer')
      await visitor.page.getByRole('button', { name: 'Filtrar Relatórios' }).click()
      await visitor.page.waitForTimeout(400)
      await shoot('filters')
      await visitor.close()
    }
  }
} finally {
  await browser.close()
  await demo.stop()
}

/** On the desktop the menu is always there: its administration is what opens. */
async function openMenu({ page }: Visitor, size: Size) {
  await page.getByRole('button', { name: size === 'phone' ? /abrir menu/i : /configurações/i }).click()
  await page.waitForTimeout(400)
}
