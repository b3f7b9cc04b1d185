import { doIUseEmail } from '@jsx-email/doiuse-email'
import { describe, expect, test } from 'vitest'
import { type MailSample, mailSamples, sample, subscriptionSample } from '../../../test/mail-samples.ts'
import { subscriptionMail } from '../../distribution/subscriptions/mails/subscription.mail.ts'
import type { Letterhead } from '../brand/brand.ts'
import { loadConfig } from '../config/config.ts'
import { composeMail } from './compose-mail.ts'

/* What mail programs draw of each message, by the tables of caniemail.com (docs/decisions/0075). */

const emailClients = ['outlook.*', 'gmail.*', 'apple-mail.*']

/** Reviewed: what a program lacks, and why the message does not depend on it. */
const lacking: Record<string, { programs: string[]; because: string }> = {
  '@media': {
    programs: ['outlook.windows', 'outlook.windows-mail', 'gmail.mobile-webmail'],
    because: 'dark mode and narrow margins only; the inline styles are complete',
  },
  '<body> element': {
    programs: ['outlook.macos', 'outlook.ios', 'outlook.android'],
    because: 'the outermost table has the same background',
  },
  'role attribute': {
    programs: ['outlook.windows-mail'],
    because: 'for screen readers; the order of the cells is that of reading',
  },
  'border-radius': {
    programs: ['outlook.windows', 'outlook.windows-mail'],
    because: 'square corners are as readable',
  },
  'word-break': {
    programs: ['outlook.windows-mail'],
    because: 'a long address makes the message wider, and the button leads to the same page',
  },
}

/** Reviewed: what some programs support in part, and what the tests below keep to. */
const partial = [
  '@media',
  '<body> element',
  'word-break',
  // No negative margins, no `auto`.
  'margin',
  // Word: in table cells only.
  'padding',
  // A colour.
  'background',
  // Pixels for pictures; Word takes the width from the attribute and not from the style.
  'width attribute',
  'height attribute',
  'width',
  'max-width',
  'height',
  // 'center' of a cell.
  'align attribute',
  // Pixels, bold, and an exact line height are drawn alike.
  'font-size',
  'font-weight',
  'line-height',
  // Up to 8 px, on table cells and pictures.
  'border',
  // 'none', of links.
  'text-decoration',
  // 'block' and 'inline-block'.
  'display',
  'vertical-align',
  // In text, Word has no margin of a picture.
  'margin-right',
]

const letterhead: Letterhead = { name: 'Saúde & Cia', color: '#7a1f5c', logo: Buffer.from('PNG') }
const config = loadConfig({ PUBLIC_URL: 'https://bi.exemplo.com.br' })
const htmlOf = ({ kind, mail }: MailSample): string => {
  const envelope = { id: '1', date: new Date(0) }
  return String(
    composeMail({ kind, para: 'ana@exemplo.com.br', mail }, { config, letterhead }, envelope).html,
  )
}
const pages = Object.entries(mailSamples).map(([name, mail]) => [name, htmlOf(mail)] as const)

const feature = /^`(.+?)` is .*supported by `(.+)`$/

describe.each(pages)('the message %s', (_, html) => {
  const result = doIUseEmail(html, { emailClients })
  const found = 'errors' in result ? result.errors : []

  test('the message uses nothing that Outlook, Gmail or Apple Mail lack, but what was reviewed', () => {
    const unknown = found.filter((sentence) => {
      const [, name = '', program = ''] = feature.exec(sentence) ?? []
      return !lacking[name]?.programs.includes(program)
    })
    expect(unknown).toEqual([])
  })

  test('the message uses nothing that they support in part, but what was reviewed', () => {
    const names = (result.warnings ?? []).map((sentence) => feature.exec(sentence)?.[1] ?? sentence)
    expect([...new Set(names)].filter((name) => !partial.includes(name))).toEqual([])
  })

  test('the message is drawn from inline styles of the kind that Word knows', () => {
    const styles = [...html.matchAll(/<(\w+)[^>]* style="([^"]*)"/g)].map(([, tag = '', style = '']) => ({
      tag,
      style,
    }))
    for (const { tag, style } of styles) {
      // The button's link repeats the padding that its cell has for Word; the logo's is an ornament.
      if (/(^|;)padding:[^0]/.test(style)) expect(['td', 'a', 'img'], style).toContain(tag)
      expect(style).not.toMatch(/margin[^;]*:(?:[^;]*-\d|[^;]*auto)|rem|url\(|flex|grid|position|float/)
    }
    for (const [cell] of html.matchAll(/<td[^>]*>\s*<a [^>]*padding:[^>]*>/g))
      expect(cell).toContain('mso-padding-alt:')
    // Each class only changes what an inline style has set.
    for (const [element] of html.matchAll(/<\w+ [^>]*class="[^"]*"[^>]*>/g))
      expect(element).toContain('style="')
  })

  test('the message shows each picture with its width or height in pixels, and loads nothing', () => {
    for (const [picture] of html.matchAll(/<img[^>]*>/g)) {
      expect(picture).toMatch(/ (width|height)="\d+"/)
      expect(picture).toMatch(/ alt="/)
      expect(picture).toMatch(/ src="cid:/)
    }
    expect(html).not.toMatch(/<link|<script|@import|@font-face|src="http/)
  })

  test('the message is a tenth of what Gmail cuts off', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(10_200)
  })
})

test('each reviewed exception is still in use', () => {
  const all = pages.flatMap(([, html]) => {
    const result = doIUseEmail(html, { emailClients })
    return 'errors' in result ? result.errors : []
  })
  const used = new Set(all.map((sentence) => feature.exec(sentence)?.[1]))
  expect(Object.keys(lacking).filter((name) => !used.has(name))).toEqual([])
})

test('a subscription with the longest texts is less than Gmail cuts off', () => {
  const long = {
    nota: `${'<'.repeat(99)}\n`.repeat(10),
    filtros: '&'.repeat(2_000),
    assunto: '&'.repeat(120),
  }
  const link = `https://bi.exemplo.com.br/${'&'.repeat(3_000)}`
  const mail = sample(subscriptionMail, { ...subscriptionSample, ...long, link })
  expect(Buffer.byteLength(htmlOf(mail))).toBeLessThan(102_000)
})
