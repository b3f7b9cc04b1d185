import type { Page } from 'playwright-core'

/** The sign-in form. */
export const signInForm = (page: Page) => {
  const username = page.getByLabel('Usuário', { exact: true })
  const password = page.getByLabel('Senha', { exact: true })
  const submit = page.getByRole('button', { name: 'Acessar' })
  return {
    username,
    password,
    submit,
    /** Sends the credentials; what follows depends on the person. */
    send: async (person: { email: string; password: string }): Promise<void> => {
      await username.fill(person.email)
      await password.fill(person.password)
      await submit.click()
    },
  }
}

/** Fills the form 'Nova senha' without sending it. */
export const fillNewPassword = async (page: Page, first: string, second = first): Promise<void> => {
  await page.getByLabel('Nova senha', { exact: true }).fill(first)
  await page.getByLabel('Confirmar nova senha', { exact: true }).fill(second)
}
