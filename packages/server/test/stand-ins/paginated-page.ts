/**
 * Plays Microsoft's page of a paginated report: it answers `/report/load`, shows the parameters in
 * its panel, and emits neither `loaded` nor `rendered`. Other calls get 501, as an unknown call does.
 */
export const paginatedPage = `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><title>Relatório paginado</title>
<style>body { margin: 1rem; font: 1rem/1.5 sans-serif; color: #222; background: #fff }</style></head>
<body>
<main><h1>Relatório paginado</h1><form hidden></form><p role="status">Aguardando o relatório…</p></main>
<script>
const uid = new URL(location.href).searchParams.get('uid')
const [form, status] = [document.querySelector('form'), document.querySelector('[role=status]')]
const show = (values) => {
  const shown = values.map(({ name, value }) => name + ' = ' + value)
  status.textContent = 'Notas fiscais com ' + (shown.join(', ') || 'os parâmetros padrão')
}
const load = ({ id, accessToken, parameterValues = [], settings = {}, filters, pageName }) => {
  if (!id || !accessToken || filters || pageName) return 400
  const panel = settings.commands?.parameterPanel ?? {}
  form.replaceChildren()
  form.hidden = !panel.enabled
  for (const { name, value } of parameterValues) {
    const label = document.createElement('label')
    const input = Object.assign(document.createElement('input'), { name, value })
    label.append(name + ' ', input)
    form.append(label)
  }
  form.append(Object.assign(document.createElement('button'), { textContent: 'Exibir relatório' }))
  form.onsubmit = (event) => {
    event.preventDefault()
    show([...form.querySelectorAll('input')])
  }
  show(parameterValues)
  return 202
}
addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || !data?.method) return
  const { method, url, headers, body } = data
  const isLoad = location.pathname === '/rdlEmbed' && url === '/report/load'
  const isKnown = isLoad || url === '/frontload/config' || url === '/report/token'
  const statusCode = isLoad ? load(body) : isKnown ? 202 : 501
  parent.postMessage({ statusCode, headers: { id: headers.id }, body: null }, origin)
})
parent.postMessage({ method: 'POST', url: '/ready/' + uid, headers: { id: 'ready' }, body: {} }, '*')
</script>
</body>
</html>`
