/** Series colours, each at least 3:1 on white and told apart under the common colour-vision deficiencies. */
export const palette = [
  '#0f766e',
  '#c97a12',
  '#3b6fb6',
  '#b84a62',
  '#6a8532',
  '#7c5cab',
  '#2592ab',
  '#6b7785',
]

export const ink = {
  strong: '#14212b',
  muted: '#55636f',
  axis: '#c9d2d9',
  grid: '#e9eef1',
  faint: '#f1f5f6',
  tooltip: '#14212b',
}

export const fontFamily =
  "'Inter', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

export const prefersStillness = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches
