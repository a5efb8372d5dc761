import ArgumentParser
import JamBench

BenchProgram.main()
