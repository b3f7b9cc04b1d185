import { ON_DARK_SHADE, shadesOf } from '@bi-manager/contract'
import type { Letterhead } from '../brand/brand.ts'
import { inHtml } from '../lib/in-html.ts'
import type { MailText } from './mail-kind.ts'

/*
 * Tables and inline styles: mail programs render them alike. Outlook for Windows draws with Word: it
 * has no max-width, and padding in table cells only. Nothing is loaded from elsewhere.
 * mail-support.test.ts checks each message (docs/decisions/0075).
 */

/** The content id of the logo, which is part of the message. */
export const LOGO_ID = 'logo@bi-manager'

/** The content id of a report's picture. */
export const PICTURE_ID = 'relatorio@bi-manager'

/** The product's colours: filled, and on a dark background. */
const usual = { color: '#0b5c58', border: '#178579', onDark: '#7bcbc3' }
const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"

/** Width in px of a message, and of one with a picture. */
const widths = { text: 560, picture: 680 }

/** Left and right of the text, in px. */
const sides = 28

/** Phones that read this have narrower margins; the others keep the inline ones. */
const onPhones = `
@media (max-width: 480px) {
  .around { padding: 16px 8px !important; }
  .card { padding: 24px 16px !important; }
}`

/** Mail programs with a dark mode use these; the others keep the inline light colours. */
const darkMode = ({ border, onDark }: Colors) => `
@media (prefers-color-scheme: dark) {
  .page { background: #141d1f !important; }
  .card { background: #212d30 !important; border-color: ${border} #3b4a4d #3b4a4d !important; }
  .ink { color: #dbe3e3 !important; }
  .soft { color: #bccaca !important; }
  .brand, .address { color: ${onDark} !important; }
}`

type Colors = typeof usual

const colorsOf = (color: string): Colors => {
  const onDark = shadesOf(color)[ON_DARK_SHADE] ?? color
  return { color, border: onDark, onDark }
}

interface Around {
  /** The sender's line, with the company's name. */
  rodape: string
  letterhead: Letterhead
}

export const htmlOf = (
  { assunto, titulo, paragrafos, detalhes = [], serie = [], figura, botao, aviso, saida }: MailText,
  { rodape, letterhead }: Around,
): string => {
  const colors = letterhead.color ? colorsOf(letterhead.color) : usual
  const width = figura === undefined ? widths.text : widths.picture
  const paragraph = (text: string) =>
    `<p class="ink" style="margin:0 0 16px;${font};font-size:16px;line-height:24px;color:#1f2a2c">${inHtml(text)}</p>`
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${inHtml(assunto)}</title>
<style>:root { color-scheme: light dark; supported-color-schemes: light dark; }${onPhones}${darkMode(colors)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f6f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f6f6">
<tr><td class="around" align="center" style="padding:32px 16px">
${forOutlook(`<table role="presentation" width="${width}" cellpadding="0" cellspacing="0" border="0"><tr><td>`)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:${width}px">
<tr><td class="brand" style="padding:0 8px 16px;${font};font-size:18px;font-weight:bold;color:${colors.color}">${logoOf(letterhead)}${inHtml(letterhead.name)}</td></tr>
<tr><td class="card" style="padding:32px ${sides}px;background:#ffffff;border:1px solid #dbe3e3;border-top:4px solid ${colors.color};border-radius:8px">
<h1 class="ink" style="margin:0 0 20px;${font};font-size:22px;line-height:28px;color:#1f2a2c">${inHtml(titulo)}</h1>
${paragrafos.map(paragraph).join('\n')}
${figura === undefined ? '' : pictureOf(figura, botao?.link, width - 2 * sides - 2)}${factsOf(detalhes)}${chartOf(serie, colors)}
${botao ? buttonOf(botao, colors) : ''}
<p class="soft" style="margin:0;${font};font-size:14px;line-height:21px;color:#4d5d5f">${inHtml(aviso)}</p>
${saida ? exitOf(saida, colors) : ''}</td></tr>
<tr><td class="soft" style="padding:16px 8px 0;${font};font-size:13px;line-height:19px;color:#4d5d5f">${inHtml(rodape)}</td></tr>
</table>
${forOutlook('</td></tr></table>')}
</td></tr>
</table>
</body>
</html>
`
}

export const plainOf = (text: MailText, rodape: string): string => {
  const { titulo, paragrafos, detalhes = [], serie = [], botao, aviso, saida } = text
  const links = (link: typeof botao) => (link ? [`${link.texto}:\n${link.link}`] : [])
  const facts = detalhes.map(({ rotulo, valor }) => `${rotulo}: ${valor}`).join('\n')
  const chart = serie.map(({ quando, valor }) => `${quando}: ${valor}`).join('\n')
  const parts = [
    titulo,
    ...paragrafos,
    facts,
    chart,
    ...links(botao),
    aviso,
    ...links(saida),
    `-- \n${rodape}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

const factsOf = (facts: NonNullable<MailText['detalhes']>): string =>
  facts.length === 0
    ? ''
    : `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">
${facts.map(factOf).join('\n')}
</table>
`

/** Bars of coloured cells, which each program draws. The text has the values. */
const chartOf = (bars: NonNullable<MailText['serie']>, colors: Colors): string =>
  bars.length === 0
    ? ''
    : `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">
${bars.map((bar) => barOf(bar, colors)).join('\n')}
</table>
`

/** Width in px of the longest bar. */
const LONGEST = 180

const barOf = (
  { quando, valor, parte }: NonNullable<MailText['serie']>[number],
  { color }: Colors,
): string => {
  const width = Math.max(1, Math.round(parte * LONGEST))
  return `<tr><td><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td width="${width}" height="12" bgcolor="${color}" style="width:${width}px;background:${color};font-size:1px;line-height:12px">&nbsp;</td></tr></table></td>
<td class="ink" style="padding:2px 0 2px 12px;${font};font-size:13px;line-height:19px;color:#1f2a2c">${inHtml(`${valor} em ${quando}`).replaceAll(' ', '&nbsp;')}</td></tr>`
}

const factOf = ({ rotulo, valor }: { rotulo: string; valor: string }): string =>
  `<tr><td class="soft" valign="top" style="padding:2px 16px 2px 0;${font};font-size:14px;line-height:21px;color:#4d5d5f">${inHtml(rotulo).replaceAll(' ', '&nbsp;')}</td>
<td class="ink" valign="top" style="padding:2px 0;${font};font-size:14px;line-height:21px;color:#1f2a2c">${inHtml(valor)}</td></tr>`

/** The picture leads to the report, like the button. Outlook takes its width from the attribute. */
const pictureOf = (text: string, link: string | undefined, width: number): string => {
  const alt = `${font};font-size:14px;line-height:21px;color:#4d5d5f`
  const picture = `<img class="soft" src="cid:${PICTURE_ID}" alt="${inHtml(text)}" width="${width}" style="display:block;width:100%;max-width:${width}px;height:auto;border:1px solid #dbe3e3;${alt}">`
  const shown = link ? `<a href="${inHtml(link)}" style="text-decoration:none">${picture}</a>` : picture
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px"><tr><td>${shown}</td></tr></table>
`
}

const exitOf = ({ texto, link }: { texto: string; link: string }, { color }: Colors): string =>
  `<p class="soft" style="margin:12px 0 0;${font};font-size:14px;line-height:21px;color:#4d5d5f"><a class="address" href="${inHtml(link)}" style="color:${color}">${inHtml(texto)}</a></p>
`

/** Mail programs show the alternative text while they hide images; the name follows anyway. */
const logoOf = ({ logo }: Letterhead): string =>
  logo
    ? `<img src="cid:${LOGO_ID}" alt="" height="32" style="height:32px;width:auto;max-width:160px;padding:2px;background:#ffffff;border-radius:6px;vertical-align:middle;margin-right:10px">`
    : ''

const forOutlook = (html: string): string => `<!--[if mso]>${html}<![endif]-->`

/** Outlook ignores the link's padding, and takes that of the cell. */
const buttonOf = ({ texto, link }: { texto: string; link: string }, { color }: Colors): string => {
  const href = inHtml(link)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr>
<td bgcolor="${color}" style="mso-padding-alt:13px 24px;border-radius:8px;background:${color}"><a href="${href}" style="display:inline-block;padding:13px 24px;${font};font-size:16px;font-weight:bold;color:#ffffff;text-decoration:none">${inHtml(texto)}</a></td>
</tr></table>
<p class="soft" style="margin:0 0 20px;${font};font-size:14px;line-height:21px;color:#4d5d5f">Se o botão não abrir, copie este endereço para o navegador:<br><a class="address" href="${href}" style="color:${color};word-break:break-all">${href}</a></p>`
}
