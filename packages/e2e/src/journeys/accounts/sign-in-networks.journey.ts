import { afterAll, beforeAll, expect, test } from 'vitest'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { createPerson } from '../../people/create-person.ts'
import type { Person } from '../../people/people.ts'
import { type Demo, startPortal } from '../../services/demo.ts'

/* Networks per role: an ADMIN sets them, and people outside them are told. */

const admin: Person = { email: 'chefe@empresa.exemplo', password: 'Primeira senha 1', name: 'Administrador' }

let demo: Demo
beforeAll(async () => {
  demo = await startPortal({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
})
afterAll(() => demo.stop())

test.each(looks)(
  'people outside the networks of their role wait, and go on inside them: $size',
  async (look) => {
    const { portal } = demo
    const name = `Ana Souza ${look.size}`
    const reader = await createPerson(portal, name, `ana.${look.size}@empresa.exemplo`, undefined, admin)
    const reading = await visit({ portal, ...look })
    await reading.enter(reader, '/saidibi')
    await reading.main.getByRole('heading', { level: 1 }).waitFor()

    const writing = await visit({ portal, ...look })
    const { page, main } = writing
    await writing.enter(admin, '/seguranca')
    const admins = page.getByLabel('Redes de administradores')
    const others = page.getByLabel('Redes dos demais usuários')
    await main.getByText(/^Seu endereço agora:/).waitFor()
    writing.expectComplaint(/422/)
    await admins.fill('192.0.2.0/24')
    await press(main, 'Gravar')
    await main.getByText(/não está nestas redes: você ficaria sem acesso/).waitFor()
    expect(await admins.evaluate((field) => field === document.activeElement)).toBe(true)
    await settled(writing, 'networks without the ADMIN')
    await press(main, 'Incluir o meu endereço')
    expect(await admins.inputValue()).toMatch(/^192\.0\.2\.0\/24\n/)
    await others.fill('192.0.2.0/24')
    await press(main, 'Gravar')
    await main.getByText('Regras gravadas!').waitFor()
    await settled(writing, 'saved networks')

    // The open window of the reader is told, and a new sign-in is refused.
    reading.expectComplaint(/403/)
    await reading.main.getByRole('heading', { name: 'Rede não permitida' }).waitFor()
    await settled(reading, 'outside the networks')
    const arriving = await visit({ portal, ...look })
    arriving.expectComplaint(/403/)
    await arriving.goto('/')
    await arriving.page.getByLabel('Usuário', { exact: true }).fill(reader.email)
    await arriving.page.getByLabel('Senha', { exact: true }).fill(reader.password)
    await arriving.page.keyboard.press('Enter')
    await arriving.page.getByText(/só pode ser usada nas redes que a empresa permite/).waitFor()
    await settled(arriving, 'a refused sign-in')
    await arriving.close()

    await others.fill('')
    await admins.fill('')
    await press(main, 'Gravar')
    await main.getByText('Regras gravadas!').waitFor()
    await press(reading.main, 'Tentar novamente')
    await reading.page.getByRole('button', { name: /^Notificações/ }).waitFor()
    await reading.close()
    await writing.close()
  },
)
