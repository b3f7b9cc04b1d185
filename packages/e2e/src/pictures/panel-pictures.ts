import type { Browser, Page } from 'playwright-core'
import { waitForRendered } from '../browser/report-frame.ts'
import { openBrowserProfile, sizes } from '../browser/visitor.ts'
import { chooseBeneficiary, clinicalPanel } from '../pages/clinical-panel.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

/** Takes the panel's pictures in docs/manual/prontuarios.md, on a fresh demo. */
export const shootPanel = async (browser: Browser, portal: string, folder: string): Promise<void> => {
  const { menu } = await signedInClient(portal, people.helena)
  const [report] = reportsOf(await menu())
  for (const size of sizes)
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await openBrowserProfile(browser, { portal, size, colorScheme })
      const { page } = visitor
      const shoot = (name: string) =>
        page.screenshot({ path: `${folder}${name}-${size}-${colorScheme}.png`, animations: 'disabled' })
      await visitor.goto('/')
      await visitor.signIn(people.helena)
      await visitor.goto(report?.path ?? '/')
      await waitForRendered(page)
      const { opener, bar } = clinicalPanel(page)
      await opener.click()
      await page.getByLabel('Atendimento').check()
      await untilRedrawn(page)
      await shoot('panel-purpose')
      await page.getByRole('button', { name: 'Continuar' }).click()
      await fillForm(page)
      await shoot('panel-form')
      await page.keyboard.press('Escape')
      await bar.waitFor()
      await untilRedrawn(page)
      await shoot('panel-minimised')
      await visitor.close()
    }
}

const fillForm = async (page: Page) => {
  const { list, hypothesis } = clinicalPanel(page)
  await chooseBeneficiary(page, 'EX-0001')
  const chosen = { Especialidade: 'Cardiologia', 'Risco de custo': 'Alto custo de exames' }
  for (const [name, option] of Object.entries(chosen)) {
    await list(name).click()
    await page.getByRole('option', { name: option }).click()
  }
  await hypothesis.fill('Hipertensão arterial em acompanhamento.\nPressão de 150 × 95 mmHg.')
}

/** The report adapts to its new width a moment after the panel opens. */
const untilRedrawn = (page: Page) => page.waitForTimeout(1_000)
