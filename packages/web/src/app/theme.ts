import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const teal: MantineColorsTuple = [
  '#ebf7f5',
  '#d6efec',
  '#abded8',
  '#7bcbc3',
  '#4fb6ac',
  '#2c9f95',
  '#178579',
  '#0f6f68',
  '#0b5c58',
  '#084744',
]

/** Greys tinted with the brand's teal; index 7 is the page, 6 a field, 4 a border, 0 the text. */
const dark: MantineColorsTuple = [
  '#dbe3e3',
  '#bccaca',
  '#95a6a7',
  '#6b7c7e',
  '#3b4a4d',
  '#2b383b',
  '#212d30',
  '#141d1f',
  '#0f1618',
  '#0a0f11',
]

/** White on shade 8 has a contrast of 7.6:1, so filled controls pass AA in both schemes. */
/** A closed dialog is gone: the next key, such as Ctrl+K, does not meet one that fades. */
const leavesAtOnce = { exitDuration: 0 }

export const theme = createTheme({
  // `teal` stays the colour of success where a company has another colour (server: page-brand.ts).
  colors: { brand: teal, teal, dark },
  primaryColor: 'brand',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '0.9375rem', lg: '1.1875rem', xl: '1.75rem' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.25' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.45' },
    },
  },
  components: {
    // Mantine writes badges in capitals, but the portal's other states are not.
    Badge: { defaultProps: { tt: 'none' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    // Mantine's dialogs render a <header>, which would count as a second banner landmark.
    Modal: {
      defaultProps: {
        padding: 'lg',
        radius: 'lg',
        attributes: { header: { role: 'none' } },
        transitionProps: leavesAtOnce,
      },
    },
    ModalRoot: { defaultProps: { transitionProps: leavesAtOnce } },
    Drawer: { defaultProps: { attributes: { header: { role: 'none' } }, transitionProps: leavesAtOnce } },
  },
  breakpoints: { xs: '30em', sm: '48em', md: '64em', lg: '80em', xl: '96em' },
})

/** Mantine's default secondary-text colours fail WCAG AA on white; these pass. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#566466',
    '--mantine-color-placeholder': '#66757a',
    '--mantine-color-error': '#b42318',
    // Mantine's own value has a contrast of 2.7:1 in the titles of warnings.
    '--mantine-color-yellow-light-color': '#7a4b00',
    '--mantine-color-text': '#16282a',
    '--mantine-color-default-border': '#cfd8d9',
    '--field-border': '#7d8b8e',
    '--surface-page': '#f5f8f8',
    '--surface-raised': '#ffffff',
    '--surface-border': '#e1e8e8',
    '--surface-hover': '#eef4f3',
    '--surface-active': '#e0f1ef',
    '--text-active': '#084744',
  },
  dark: {
    '--mantine-color-dimmed': '#9fb0b1',
    '--mantine-color-placeholder': '#8d9d9e',
    '--mantine-color-error': '#ff9b91',
    // Derived from shade 8 in both schemes, Mantine's own value would be almost white here.
    '--mantine-color-red-light-color': '#ff8f85',
    '--mantine-color-yellow-light-color': '#ffd75e',
    '--field-border': '#76888a',
    '--surface-page': '#141d1f',
    '--surface-raised': '#1b2629',
    '--surface-border': '#2b383b',
    '--surface-hover': '#243235',
    '--surface-active': '#17403e',
    '--text-active': '#abded8',
  },
})
