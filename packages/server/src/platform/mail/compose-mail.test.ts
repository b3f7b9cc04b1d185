import { describe, expect, test } from 'vitest'
import {
  type MailSample,
  queuedSamples,
  sample,
  sampleLink,
  subscriptionSample,
} from '../../../test/mail-samples.ts'
import { type FactorChange, secondFactorMail } from '../../accounts/accounts.mail.ts'
import {
  type SubscriptionMessage,
  subscriptionMail,
} from '../../distribution/subscriptions/mails/subscription.mail.ts'
import { plainLetterhead } from '../brand/brand.ts'
import { loadConfig } from '../config/config.ts'
import { composeMail } from './compose-mail.ts'

const config = loadConfig({ PUBLIC_URL: 'https://bi.exemplo.com.br', COMPANY_NAME: 'Saúde & Cia' })
const quando = '2026-01-31T23:30:00.000Z'
const link = sampleLink
const compose = ({ kind, mail }: MailSample, letterhead = plainLetterhead) => {
  const message = composeMail(
    { kind, para: 'ana@exemplo.com.br', mail },
    { config, letterhead },
    { id: '1', date: new Date(0) },
  )
  const { attachments } = message
  return {
    subject: message.subject ?? '',
    text: String(message.text),
    html: String(message.html),
    attachments,
  }
}

const mails = queuedSamples
const factorMail = (change: FactorChange) => sample(secondFactorMail, { nome: 'Ana', quando, ...change })
const factorMails = (['trocado', 'desativado', 'codigos'] as const).map((mudanca) => factorMail({ mudanca }))
const resetMail = factorMail({ mudanca: 'redefinido', por: 'Bia' })

test.each(
  [...Object.values(mails), ...factorMails, resetMail].map((mail) => {
    const { modelo } = mail.kind
    const name = 'mudanca' in mail.mail ? `${modelo} ${mail.mail.mudanca}` : modelo
    return [name, mail] as const
  }),
)(
  '%s says the same as text and as HTML, with the brand and what to do if the recipient did not ask for it',
  (_, mail) => {
    const { subject, text, html } = compose(mail)
    expect(subject).toMatch(/BI Manager/)
    expect(text).toContain('Olá, Ana!')
    expect(text).toMatch(/Se (você não|não foi você)/)
    expect(text).toContain('BI Manager · Saúde & Cia · mensagem automática de https://bi.exemplo.com.br')
    // Each sentence of the text is in the HTML too; a link has its own line in both.
    for (const line of text.split('\n').filter((said) => said && said !== '-- ' && !said.endsWith(':'))) {
      expect(html).toContain(line.replaceAll('&', '&amp;'))
    }
    expect(html).not.toMatch(/<(img|script|link|iframe)\b|url\(|src=/i)
    if ('link' in mail.mail) {
      expect(text).toContain(`\n${link}\n`)
      expect(html.split('href="https://bi.exemplo.com.br/convite?token=a&amp;b=c"')).toHaveLength(3)
    } else {
      expect(html).not.toContain('href=')
    }
  },
)

test('durations and times are written as people say them', () => {
  expect(compose(mails.recuperacao).text).toContain('O link vale por 10 minutos e só pode ser usado uma vez.')
  expect(compose(mails.convite).text).toContain('O link vale por 1 dia e só')
  expect(compose(mails.convite).text).toContain(
    'Bia convidou você para o BI Manager, o portal de relatórios de Saúde & Cia.',
  )
  for (const mail of [mails.senha_alterada, mails.segundo_fator, ...factorMails, resetMail]) {
    expect(compose(mail).text).toContain('em 31/01/2026 às 20:30 (horário de Brasília)')
  }
  expect(compose(mails.senha_retirada).text).toContain('Em 31/01/2026 às 20:30 (horário de Brasília)')
  expect(compose(resetMail).text).toContain('Bia retirou o segundo fator')
})

test.each([
  ['<script>alert("x")</script>', 'Olá!'],
  ['Ganhe em http://mau.exemplo', 'Olá!'],
  ['mau.exemplo.com', 'Olá!'],
  ['J. R. Silva', 'Olá, J. R. Silva!'],
  ["Ana D'Ávila & <b>Filhos", "Olá, Ana D'Ávila & <b>Filhos!"],
  ['Ana\r\nBcc: todos\u202e\u0000', 'Olá!'],
  ['Ana\u2028  Souza\n', 'Olá, Ana Souza!'],
  ['', 'Olá!'],
  ['A'.repeat(500), `Olá, ${'A'.repeat(120)}!`],
])('the name %j is greeted harmlessly', (nome, greeting) => {
  const { text, html, subject } = compose({ ...mails.conta_recusada, mail: { nome } })
  expect(text.split('\n\n')[1]).toBe(greeting)
  expect(html).not.toMatch(/<b>|<script/)
  expect(subject).toBe('Seu pedido de conta no BI Manager')
})

test('composeMail carries the name, the colour and the logo of the company, which is part of the message', () => {
  const logo = Buffer.from('PNG')
  const letterhead = { name: '<Vida> & Cia', color: '#7a1f5c', logo }
  const { subject, text, html, attachments } = compose(mails.convite, letterhead)
  expect(subject).toBe('Seu convite para o BI Manager')
  expect(text).toContain('o portal de relatórios de <Vida> & Cia.')
  expect(text).toContain('BI Manager · <Vida> & Cia · mensagem automática')
  expect(html).toContain('&lt;Vida&gt; &amp; Cia</td>')
  expect(html).not.toMatch(/<Vida>|#0b5c58|#178579|#7bcbc3/)
  expect(html).toContain('bgcolor="#7a1f5c"')
  expect(html).toContain('border-top:4px solid #7a1f5c')
  // Nothing is loaded from elsewhere: the image is the attachment.
  expect(html.match(/src="[^"]*"/g)).toEqual(['src="cid:logo@bi-manager"'])
  expect(attachments).toEqual([
    {
      filename: 'logo.png',
      contentType: 'image/png',
      contentDisposition: 'inline',
      cid: 'logo@bi-manager',
      content: logo,
    },
  ])
  expect(compose(mails.convite).attachments).toBeUndefined()
})

describe('the e-mail of a subscription', () => {
  const sent = subscriptionSample
  const whole = (fields: Partial<SubscriptionMessage> = {}) =>
    composeMail(
      { kind: subscriptionMail, para: 'ana@exemplo.com.br', mail: { ...sent, ...fields } },
      { config, letterhead: plainLetterhead },
      { id: '1', date: new Date(0) },
    )

  test('the e-mail of a subscription says what it is of, how to open it and how to leave, as text and as HTML', () => {
    const { subject, text, html, attachments, headers } = whole()
    expect(subject).toBe('Custos <semana>')
    for (const said of ['Ver o total', 'e a margem.', 'Relatório: Custos & receitas', 'Página: Resumo'])
      expect(text).toContain(said)
    for (const said of [
      'Filtros: Operadora: CNU',
      'Dados de: 31/01/2026 20:30:00',
      'Bia assinou este relatório',
    ])
      expect(text).toContain(said)
    expect(text).toContain(`\n${link}\n`)
    expect(text).toContain('Cancelar esta assinatura:\nhttps://bi.exemplo.com.br/y?token=1')
    expect(html).toContain('Custos &lt;semana&gt;')
    expect(html).toContain('href="https://bi.exemplo.com.br/y?token=1"')
    expect(html).not.toMatch(/<img|src=|<semana>/)
    expect(attachments).toBeUndefined()
    expect(headers).toMatchObject({
      'List-Unsubscribe': '<https://bi.exemplo.com.br/api/x?token=1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })

  test('the e-mail of a subscription shows a PNG from the message itself, and attaches a PDF', () => {
    const conteudo = Buffer.from('x')
    const picture = whole({ arquivo: { formato: 'PNG', conteudo } })
    expect(String(picture.html).match(/src="[^"]*"/g)).toEqual(['src="cid:relatorio@bi-manager"'])
    expect(String(picture.html)).toContain('alt="Custos &amp; receitas, Resumo"')
    expect(picture.attachments).toMatchObject([{ cid: 'relatorio@bi-manager', contentDisposition: 'inline' }])
    const pdf = whole({ arquivo: { formato: 'PDF', conteudo } })
    expect(pdf.attachments).toEqual([
      { filename: 'Custos & receitas.pdf', contentType: 'application/pdf', content: conteudo },
    ])
    expect(String(pdf.html)).not.toContain('<img')
    const sheet = whole({ arquivo: { formato: 'XLSX', conteudo }, visuais: 'Custo por mês, Vidas' })
    expect(sheet.attachments).toEqual([
      {
        filename: 'Custos & receitas.xlsx',
        contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: conteudo,
      },
    ])
    expect(sheet.text).toContain('na planilha XLSX anexada')
    expect(sheet.text).toContain('Visuais: Custo por mês, Vidas')
    expect(whole({ arquivo: { formato: 'PDF', conteudo }, comSenha: true }).text).toContain(
      'abre com a senha',
    )
  })

  test.each([
    ['Custos/2026: "total"', 'Custos-2026- -total.pdf'],
    ['../../..', 'relatorio.pdf'],
    ['Vidas\r\nBcc: x', 'Vidas-Bcc- x.pdf'],
  ])('the file of the report %j is called %s', (relatorio, name) => {
    const { attachments } = whole({ relatorio, arquivo: { formato: 'PDF', conteudo: Buffer.from('x') } })
    expect(attachments).toMatchObject([{ filename: name }])
  })

  test('the e-mail of a subscription says when the file is left out, and that a test is one', () => {
    const { text } = whole({ semAnexo: 'OUTRO', ehTeste: true, feitaPor: null, pagina: null, filtros: null })
    expect(text).toContain('O arquivo não vai neste e-mail')
    expect(text).toContain('envio de teste')
    expect(text).not.toContain('senha')
    expect(whole({ semAnexo: 'SENHA', comSenha: true }).text).toContain('você definiu uma senha')
    expect(text).not.toMatch(/Página:|Filtros:|Assinatura de:/)
  })
})
