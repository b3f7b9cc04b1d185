/** Query parameter of '/ajuda': the path of the screen that the manual explains. */
export const SCREEN = 'tela'

/** Returns the address that leads to the manual's place for the screen at a path. */
export const helpAddress = (pathname: string): string =>
  pathname.startsWith('/ajuda') ? '/ajuda' : `/ajuda?${new URLSearchParams({ [SCREEN]: pathname })}`
