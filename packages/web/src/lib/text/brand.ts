/* Written by the server into the page's root element (server: page-brand.ts). */

const { nome, logo } = document.documentElement.dataset

/** The company's name, or the product's. */
export const brandName = nome ?? 'BI Manager'

/** The address of the logo. */
export const brandLogo = logo ?? '/favicon.svg'
