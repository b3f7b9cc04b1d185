import type { MailText } from './mail-texts.ts'

/* Tables and inline styles: mail programs render them alike. No image is loaded. */

const teal = '#0b5c58'
const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"

/** Mail programs with a dark mode use these; the others keep the inline light colours. */
const darkMode = `
@media (prefers-color-scheme: dark) {
  .page { background: #141d1f !important; }
  .card { background: #212d30 !important; border-color: #178579 #3b4a4d #3b4a4d !important; }
  .ink { color: #dbe3e3 !important; }
  .soft { color: #bccaca !important; }
  .brand, .address { color: #7bcbc3 !important; }
}`

/** @param rodape the sender's line, with the company's name */
export const htmlOf = ({ assunto, titulo, paragrafos, botao, aviso }: MailText, rodape: string): string => {
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
<style>:root { color-scheme: light dark; supported-color-schemes: light dark; }${darkMode}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f6f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f6f6">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="brand" style="padding:0 8px 16px;${font};font-size:18px;font-weight:bold;color:${teal}">BI Manager</td></tr>
<tr><td class="card" style="padding:32px 28px;background:#ffffff;border:1px solid #dbe3e3;border-top:4px solid ${teal};border-radius:8px">
<h1 class="ink" style="margin:0 0 20px;${font};font-size:22px;line-height:28px;color:#1f2a2c">${inHtml(titulo)}</h1>
${paragrafos.map(paragraph).join('\n')}
${botao ? buttonOf(botao) : ''}
<p class="soft" style="margin:0;${font};font-size:14px;line-height:21px;color:#4d5d5f">${inHtml(aviso)}</p>
</td></tr>
<tr><td class="soft" style="padding:16px 8px 0;${font};font-size:13px;line-height:19px;color:#4d5d5f">${inHtml(rodape)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

export const plainOf = ({ titulo, paragrafos, botao, aviso }: MailText, rodape: string): string =>
  [titulo, ...paragrafos, ...(botao ? [`${botao.texto}:\n${botao.link}`] : []), aviso, `-- \n${rodape}`].join(
    '\n\n',
  )

const buttonOf = ({ texto, link }: { texto: string; link: string }): string => {
  const href = inHtml(link)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr>
<td bgcolor="${teal}" style="border-radius:8px;background:${teal}"><a href="${href}" style="display:inline-block;padding:13px 24px;${font};font-size:16px;font-weight:bold;color:#ffffff;text-decoration:none">${inHtml(texto)}</a></td>
</tr></table>
<p class="soft" style="margin:0 0 20px;${font};font-size:14px;line-height:21px;color:#4d5d5f">Se o botão não abrir, copie este endereço para o navegador:<br><a class="address" href="${href}" style="color:${teal};word-break:break-all">${href}</a></p>`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const inHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
