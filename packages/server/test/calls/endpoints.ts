import type { Endpoint } from '@bi-manager/contract'
import * as contract from '@bi-manager/contract'

/** All endpoints of the API: those of the contract's exports whose names end with 'Api'. */
export const endpoints: Endpoint[] = Object.entries(contract).flatMap(([name, api]) =>
  name.endsWith('Api') ? (Object.values(api) as Endpoint[]) : [],
)
