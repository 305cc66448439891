/** One lossless repair: where (`""` for the whole call) and by which rule. */
export interface Repair {
  path: string
  rule: string
}
