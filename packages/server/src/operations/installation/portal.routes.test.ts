import { expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'

const app = useTestApp(() => ({ POWERBI_CLOUD: 'china' }))

const withMail = useTestApp({ SMTP_URL: 'smtp://correio.exemplo:25' })

test('GET /portal says whether e-mails are sent', async () => {
  expect((await app.anonymous.get('/portal')).body.enviaEmails).toBe(false)
  expect((await withMail.anonymous.get('/portal')).body.enviaEmails).toBe(true)
})

test("GET /portal names the origin of the selected cloud's embed pages", async () => {
  const { status, body } = await app.anonymous.get('/portal')
  expect([status, body.origemEmbed, body.origemMicrosoft]).toEqual([200, null, 'https://app.powerbi.cn'])
})
