import { loadConfig } from '../../src/platform/config/config.ts'
import { testSender } from '../mails.ts'
import type { TestApp } from '../test-app.ts'

/** Creates a sender of the app's queued messages to a mail server; it logs nothing. */
export const smtpSender = ({ dataDir, services }: Pick<TestApp, 'dataDir' | 'services'>, smtpUrl: string) => {
  const config = loadConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://bi.exemplo.com.br',
    MAIL_FROM: 'BI <bi@exemplo.com.br>',
    SMTP_URL: smtpUrl,
  })
  return testSender({ ...services, config })
}
