/**
 * The HTTP status that a provider's own error number stands for, by the member that holds it. Both providers answer with
 * status 200 and, in part, in Chinese. Zhipu: https://docs.bigmodel.cn/cn/faq/api-code, MiniMax:
 * https://platform.minimax.io/docs/api-reference/errorcode.
 */
const numbers: Readonly<Record<string, readonly (readonly [status: number, numbers: readonly number[]])[]>> =
  {
    code: [
      [401, [1000, 1001, 1002, 1003, 1004]],
      [402, [1110, 1111, 1113, 1304, 1308, 1309, 1310, 1313]],
      [403, [1112, 1220, 1311]],
      [404, [1211, 1222]],
      [400, [1210, 1212, 1213, 1214, 1215, 1261, 1300, 1301]],
      [429, [1302, 1303, 1305, 1312]],
    ],
    status_code: [
      [401, [1004, 2049]],
      [402, [1008, 2056]],
      [400, [1026, 1027, 1039, 1042, 2013]],
      [429, [1002, 1041]],
    ],
  }

/**
 * The status that the number in an error object stands for; undefined if no provider documents it.
 *
 * @example
 * statusOfNumber({ code: '1113', message: '余额不足' }) // => 402
 * statusOfNumber({ status_code: 1004 }) // => 401
 */
export function statusOfNumber(error: Record<string, unknown>): number | undefined {
  for (const [member, rows] of Object.entries(numbers)) {
    const number = Number(error[member] ?? Number.NaN)
    const row = rows.find(([, listed]) => listed.includes(number))
    if (row !== undefined) return row[0]
  }
  return undefined
}
