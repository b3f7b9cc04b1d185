import type { Page } from 'playwright-core'

/** Chooses an action of the toolbar, which a phone lists under 'Mais ações'. */
export const chooseAction = async (page: Page, name: string): Promise<void> => {
  const more = page.getByRole('button', { name: 'Mais ações' })
  const action = page.getByRole('toolbar').getByRole('button', { name, exact: true })
  await more.or(action).waitFor()
  if (await action.isVisible()) return action.click()
  await more.click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** The panel 'Filtrar Relatórios' of the viewer. */
export const filterPanel = (page: Page) => {
  const panel = page.getByRole('form', { name: 'Filtrar Relatórios' })
  const submit = panel.getByRole('button', { name: 'Filtrar', exact: true })
  const open = () => page.getByRole('button', { name: 'Filtrar Relatórios' }).click()
  return {
    panel,
    submit,
    open,
    choose: async (label: string, option: string): Promise<void> => {
      await panel.getByLabel(label).selectOption({ label: option })
    },
    clear: () => panel.getByRole('button', { name: 'Limpar' }).click(),
    /** Opens the panel and filters by one field. */
    filterBy: async (label: string, option: string): Promise<void> => {
      await open()
      await panel.getByLabel(label).selectOption({ label: option })
      await submit.click()
    },
  }
}

/** The dialogs 'Visões salvas' and 'Exportar' of the viewer. */
export const savedViews = (page: Page) => {
  const panel = page.getByRole('dialog', { name: 'Visões salvas' })
  return {
    panel,
    open: () => page.getByRole('button', { name: 'Visões salvas' }).click(),
    /** Starts a new view of what is on the screen. */
    startView: async (name: string): Promise<void> => {
      await panel.getByRole('button', { name: 'Salvar o que está na tela' }).click()
      await panel.getByLabel('Nome da visão').fill(name)
    },
    save: async (name: string): Promise<void> => {
      await panel.getByRole('button', { name: 'Salvar', exact: true }).click()
      await panel.getByText(`Visão “${name}” salva.`).waitFor()
    },
  }
}
