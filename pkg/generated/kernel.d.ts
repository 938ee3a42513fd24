export default function init(o: unknown): Promise<unknown>;
export function onPanic(f: (message: string) => void): void;
export class Shell { static create(o: unknown, e: unknown): Promise<Shell>; static panic(): void; free(): void; exec(...a: unknown[]): Promise<any>; open(...a: unknown[]): Promise<any>; input(...a: unknown[]): Promise<void>; abort(run: number): void; taken(a: number, b: number): void; resize(a: number,b:number,c:number): void; fs(a: unknown): Promise<unknown>; }
