import JamBench

BenchProgram.main()
