/**
 * A minimal embedding page: it sends Power BI's messages as powerbi-client does, at hardly any
 * cost. `walk` opens the report, filters it, changes the page and back, and filters by a
 * column that no aggregation table has; each step ends with `rendered`.
 */
export const embedder = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>Comparação de tempos</title>
<link rel="icon" href="data:,"><style>body{margin:0}iframe{border:0;width:1280px;height:800px}</style>
<script>
  const uid = 'bench'
  let frame, service, sent = 0, onEvent = () => {}
  const send = (method, url, body) =>
    frame.contentWindow.postMessage({ method, url, headers: { id: 'm' + ++sent, uid }, body }, service)
  addEventListener('message', ({ data, origin }) => {
    if (origin === service && data.method) onEvent(data.url, data.body)
  })
  /** Resolves with the milliseconds until the event; rejects on an error event. */
  const until = (event, action) =>
    new Promise((resolve, reject) => {
      const started = performance.now()
      onEvent = (url, body) => {
        if (url.endsWith('/events/error')) reject(new Error(JSON.stringify(body)))
        if (url.endsWith(event)) resolve(performance.now() - started)
      }
      action()
    })
  /** A filter that excludes no row and that the service has not seen. */
  const fresh = (what) => [{
    $schema: 'http://powerbi.com/product/schema#basic',
    target: { table: 'Sinistros', column: 'operadora' },
    filterType: 1, operator: 'NotIn', values: [what],
  }]
  /** Returns a filter on a column that no aggregation table has: each visual reads all rows. */
  const half = () => [{
    $schema: 'http://powerbi.com/product/schema#advanced',
    target: { table: 'Sinistros', column: 'beneficiario' },
    filterType: 0, logicalOperator: 'And',
    conditions: [{ operator: 'LessThan', value: 250000 + Math.floor(Math.random() * 1000) }],
  }]
  async function walk({ service: origin, id, token, round }) {
    service = origin
    const opened = performance.now()
    frame = document.createElement('iframe')
    frame.src = origin + '/reportEmbed?uid=' + uid
    await until('/ready/' + uid, () => document.body.append(frame))
    const mark = round + '-' + Math.random()
    await until('/events/rendered', () =>
      send('POST', '/report/load', { id, accessToken: token, filters: fresh(mark) }))
    const steps = { 'first paint': performance.now() - opened }
    steps['filter change'] = await until('/events/rendered', () =>
      send('PUT', '/report/filters', [{ ...fresh(mark)[0], operator: 'In', values: ['CNU', mark] }]))
    steps['page switch'] = await until('/events/rendered', () =>
      send('PUT', '/report/pages/active', { name: 'Detalhes' }))
    steps['page switch back'] = await until('/events/rendered', () =>
      send('PUT', '/report/pages/active', { name: 'Custos' }))
    steps['unaggregated filter'] = await until('/events/rendered', () =>
      send('PUT', '/report/filters', half()))
    return steps
  }
</script><body>`
