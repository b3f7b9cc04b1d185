/** The series types that the embed page can draw (embed-page/view/charts/chart.ts). */
const SERIES = ['line', 'bar', 'pie', 'scatter', 'heatmap']
/** Title fields that open a window on click, which a report's frame may not. */
const LEADS_AWAY = ['link', 'sublink', 'target', 'subtarget']

/** Refuses forbidden fields of an ECharts option, at any depth. */
export const checkOption = (
  option: unknown,
  place: string,
  fail: (place: string, sentence: string) => void,
) => {
  if (Array.isArray(option)) {
    for (const [index, item] of option.entries()) checkOption(item, `${place}[${index}]`, fail)
    return
  }
  for (const [key, value] of partsOf(option)) {
    const here = `${place}.${key}`
    if (key === 'title') {
      for (const [where, name] of eachKey(value, here))
        if (LEADS_AWAY.includes(name)) fail(where, 'não é aceito: um título não leva a endereços')
    }
    if (key === 'series') {
      for (const [where, name, type] of eachKey(value, here))
        if (name === 'type' && !SERIES.includes(String(type)))
          fail(where, `não há séries ${type}; use line, bar, pie, scatter ou heatmap`)
    }
    checkOption(value, here, fail)
  }
}

const partsOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

/** Returns the keys of an object, or of each object in a list: place, key, value. */
const eachKey = (value: unknown, place: string): [string, string, unknown][] =>
  Array.isArray(value)
    ? value.flatMap((item, index) => eachKey(item, `${place}[${index}]`))
    : partsOf(value).map(([key, inner]) => [`${place}.${key}`, key, inner])
